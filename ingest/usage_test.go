package ingest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

func TestUsage(t *testing.T) {
	small := ingest.Usage{InputUncached: 5, CacheRead: 7, Output: 1}
	large := ingest.Usage{InputUncached: 5, CacheRead: 8, CacheWrite5m: 2, CacheWrite1h: 1, Output: 9, Reasoning: 4, Cost: 0.5}
	wrong := ingest.Usage{Output: 2, Violation: true}
	for name, tc := range map[string]struct {
		steps []step
		want  ingest.Usage
	}{
		"none":                      {[]step{agent("a")}, ingest.Usage{}},
		"one":                       {[]step{agent("a").message("m").usage(large)}, large},
		"the largest of a message":  {[]step{agent("a").message("m").usage(small), agent("b").message("m").usage(large), agent("c").message("m").usage(small)}, large},
		"two messages":              {[]step{agent("a").message("m").usage(small), agent("b").message("n").usage(large)}, small.Add(large)},
		"messages without id count": {[]step{agent("a").usage(small), agent("b").usage(small)}, small.Add(small)},
		"a violation is kept":       {[]step{agent("a").message("m").usage(small), agent("b").message("n").usage(wrong)}, ingest.Usage{InputUncached: 5, CacheRead: 7, Output: 3, Violation: true}},
		"copies are another run's":  {[]step{agent("a").message("m").usage(small), agent("b").message("n").usage(large).with(func(e *ingest.Event) { e.Copied = true })}, small},
	} {
		assert.Equal(t, tc.want, runOf(t, tc.steps...).Usage(), name)
	}
	assert.EqualValues(t, 16, large.Input())
}
