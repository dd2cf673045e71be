package classify

import (
	"context"
	"fmt"
)

// Each visits the views of the input's runs in order of thread and run, without
// judging them. The rules of the input are not asked. A view is to be read
// within the visit only.
func Each(ctx context.Context, in Input, visit func(*View) error) error {
	records, groups, err := in.gather()
	if err != nil {
		return err
	}
	byKey := records.keyed()
	for _, ids := range groups {
		if !in.Shard.holds(ids[0]) {
			continue
		}
		th, _, err := in.read(ctx, ids, records, byKey)
		if err != nil {
			return fmt.Errorf("classify: %w", err)
		}
		for _, r := range th.Runs {
			if err := visit(newView(th, r, in.HideGrader)); err != nil {
				return err
			}
		}
	}
	return nil
}
