package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// RunID derives a run's id: from the format and what names the run in it (the
// first native session id and agent id, the trace id, the trial name), else
// the first unit's bytes; never from a path or a time.
func RunID(format string, parts ...string) string { return hashOf("run", format, parts...) }

// RecordsRun is the run id under which record documents are kept that belong
// to no trace file. It gets no verdict.
var RecordsRun = RunID("faultline", "records")

// SourceID derives a source's id from its run, its role in it and its first
// unit, so that it stays while the file grows.
func SourceID(run string, role string, first UnitID) string {
	return hashOf("source", run, role, string(first[:]))[:12]
}

// NativeUnit is the id of a unit whose format guarantees a native id. Such a
// unit can be a copy of another run's.
func NativeUnit(native string) UnitID {
	id := unitHash('n', []byte(native))
	id[len(id)-1] |= 1
	return id
}

// ContentUnit is the id of a unit without one: equal contents share it and are
// told apart by their order. It is never a copy across runs.
func ContentUnit(canonical []byte) UnitID {
	id := unitHash('c', canonical)
	id[len(id)-1] &^= 1
	return id
}

// Native reports that the id rests on a native id.
func (id UnitID) Native() bool { return id[len(id)-1]&1 == 1 }

func unitHash(sort byte, b []byte) UnitID {
	h := sha256.New()
	h.Write([]byte{sort})
	h.Write(b)
	var sum [sha256.Size]byte
	return UnitID(h.Sum(sum[:0])[:16])
}

// EventID derives the id of the part-th event of a unit in a run.
func EventID(run string, unit UnitID, occurrence, part int) string {
	return hashOf("event", run, string(unit[:]), strconv.Itoa(occurrence), strconv.Itoa(part))
}

// hashOf hashes length-prefixed parts, so that ("ab","c") and ("a","bc")
// differ. 96 bits are kept: collisions stay out of reach for any store size.
func hashOf(sort, first string, parts ...string) string {
	h := sha256.New()
	write := func(s string) {
		n := len(s)
		h.Write([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		h.Write([]byte(s))
	}
	write(sort)
	write(first)
	for _, p := range parts {
		write(p)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
