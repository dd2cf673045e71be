package ingest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Whatever is kept of events, in whatever order, it is what was asked for.
func TestArrange(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		events := make([]Event, r.IntN(40))
		order := make([]int32, len(events))
		for i := range events {
			events[i].Seq, order[i] = i+1, int32(i)
		}
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		order = order[:r.IntN(len(order)+1)]
		want := []int{}
		for _, i := range order {
			want = append(want, int(i)+1)
		}
		got := []int{}
		for _, e := range arrange(events, order) {
			got = append(got, e.Seq)
		}
		assert.Equal(t, want, got)
	}
}
