package decode

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/faultline-dev/faultline/ingest"
)

// The first place of every unit is found, whatever came between, also of ids
// that begin alike.
func TestFirsts(t *testing.T) {
	id := func(n int) (id ingest.UnitID) {
		binary.LittleEndian.PutUint64(id[:], uint64(n%7))
		binary.LittleEndian.PutUint64(id[8:], uint64(n))
		return id
	}
	var f firsts
	var places []ingest.Place
	want := map[ingest.UnitID]int{}
	for i := range 3000 {
		of := id(i * i % 1009)
		at, met := f.find(places, of)
		first, known := want[of]
		assert.Equal(t, known, met, i)
		if met {
			assert.Equal(t, first, at, i)
		} else {
			want[of] = len(places)
		}
		places = append(places, ingest.Place{ID: of})
	}
}
