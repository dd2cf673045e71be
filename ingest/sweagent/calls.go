package sweagent

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sort"
)

// callIDs finds the tool calls of the history that are a step's. A trajectory
// may have hundreds of thousands of steps: of an action its hash is kept, and
// the ids of calls lie one after the other.
type callIDs struct {
	actions [][8]byte // of the steps, in order, by hash
	sorted  []int32   // the steps by action, then in order
	next    int32     // the first step behind the last pair
	found   []foundCall
	text    []byte
}

// foundCall is the call of a step: an id and a tool.
type foundCall struct {
	step     int32
	id, tool int // where each ends in text
}

// add notes the action of the next step.
func (c *callIDs) add(action string) { c.actions = append(c.actions, hashed(action)) }

func hashed(action string) [8]byte {
	sum := sha256.Sum256([]byte(action))
	return [8]byte(sum[:8])
}

// pair gives the next action of the history, with the id and tool of its call,
// to the next step of that action, once all steps are there. A step that the
// history leaves out, because the model was asked again, has no pair.
func (c *callIDs) pair(action, id, tool string) {
	if c.sorted == nil {
		c.sort()
	}
	h := hashed(action)
	i := sort.Search(len(c.sorted), func(i int) bool { return c.compare(c.sorted[i], h, c.next) >= 0 })
	if i == len(c.sorted) || c.actions[c.sorted[i]] != h {
		return
	}
	c.next = c.sorted[i] + 1
	if id != "" && tool != "" {
		c.text = append(append(c.text, id...), tool...)
		c.found = append(c.found, foundCall{c.sorted[i], len(c.text) - len(tool), len(c.text)})
	}
}

func (c *callIDs) sort() {
	c.sorted = make([]int32, len(c.actions))
	for i := range c.sorted {
		c.sorted[i] = int32(i)
	}
	slices.SortFunc(c.sorted, func(a, b int32) int { return c.compare(a, c.actions[b], b) })
}

// compare orders a step before or behind a step of an action.
func (c *callIDs) compare(step int32, action [8]byte, at int32) int {
	mine := c.actions[step]
	return cmp.Or(cmp.Compare(binary.BigEndian.Uint64(mine[:]), binary.BigEndian.Uint64(action[:])), cmp.Compare(step, at))
}

// done lets go of what only pairing needs.
func (c *callIDs) done() { c.actions, c.sorted = nil, nil }

// of is the call of a step.
func (c *callIDs) of(step int) (id, tool string, ok bool) {
	i, ok := slices.BinarySearchFunc(c.found, int32(step), func(f foundCall, step int32) int { return cmp.Compare(f.step, step) })
	if !ok {
		return "", "", false
	}
	from := 0
	if i > 0 {
		from = c.found[i-1].tool
	}
	f := c.found[i]
	return string(c.text[from:f.id]), string(c.text[f.id:f.tool]), true
}
