package render

import (
	"io"

	"github.com/faultline-dev/faultline/ingest"
)

// ShardHead is the first line of what a shard printed: which part it is, and
// what it rests on.
type ShardHead struct {
	Type  string `json:"type"` // "shard"
	Index int    `json:"index"`
	Count int    `json:"count"`
	// Key names the redaction key, so that equal pseudonyms are known to stand
	// for equal values.
	Key     string `json:"key"`
	Version string `json:"version"` // of the program: all must be the same
	// Unlinked are the records that no run of this shard answers to.
	Unlinked []ingest.Ref `json:"unlinked"`
}

// NewShard returns a JSON for what merge reads: pseudonyms stay as the store
// has them, because their numbers are those of the whole output.
func NewShard(w io.Writer) *JSON { return &JSON{w: w} }
