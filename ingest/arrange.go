package ingest

import "slices"

// arrange puts events in the order of their indices, without those that order
// leaves out; none stands in it twice. The events of a long run are most of its
// memory, so they are moved where they are. Order is used up.
func arrange(events []Event, order []int32) []Event {
	used := make([]bool, len(events))
	for _, i := range order {
		used[i] = true
	}
	kept := len(order)
	for i := range used { // the others go behind, so that all have a place
		if !used[i] {
			order = append(order, int32(i))
		}
	}
	for start := range order {
		if int(order[start]) == start {
			continue
		}
		first, at := events[start], start
		for next := int(order[at]); next != start; next = int(order[at]) {
			events[at], order[at] = events[next], int32(at)
			at = next
		}
		events[at], order[at] = first, int32(at)
	}
	clear(events[kept:])
	if kept < len(events)/2 {
		return slices.Clone(events[:kept])
	}
	return events[:kept:kept]
}
