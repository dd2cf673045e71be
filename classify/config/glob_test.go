package config

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// naive tries every number of segments for each **.
func naive(glob, p []string) bool {
	if len(glob) == 0 {
		return len(p) == 0
	}
	if glob[0] == "**" {
		return naive(glob[1:], p) || len(p) > 0 && naive(glob, p[1:])
	}
	return len(p) > 0 && Wild(glob[0], p[0]) && naive(glob[1:], p[1:])
}

func TestMatchEqualsTryingEverything(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string, most int) string {
		out := make([]string, draw.IntN(most)+1)
		for i := range out {
			out[i] = from[draw.IntN(len(from))]
		}
		return strings.Join(out, "/")
	}
	for range 20_000 {
		glob, p := pick([]string{"**", "*", "a", "b", "a*"}, 6), pick([]string{"a", "b", "ab", ""}, 6)
		assert.Equal(t, naive(strings.Split(glob, "/"), strings.Split(p, "/")), Match(glob, p), "%s %s", glob, p)
	}
}

// A glob of many ** over a long path took time without an end.
func TestMatchOfManyStarsEnds(t *testing.T) {
	glob := strings.Repeat("**/a/", 40) + "x"
	assert.False(t, Match(glob, strings.Repeat("a/", 2000)+"y"))
	assert.True(t, Match(glob, strings.Repeat("a/", 2000)+"x"))
}
