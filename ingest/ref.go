package ingest

// Ref is the address of an event: {run, source, seq} and where its unit's own
// JSON value stands in the unredacted file. Line counts from 1, Offset and
// Length are bytes.
type Ref struct {
	Run    string `json:"run"`
	Source string `json:"source"`
	Seq    int    `json:"seq"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
}

// Less orders refs by file role, position and run, so that output does not
// depend on the order of ingest.
func (a Ref) Less(b Ref) bool {
	switch {
	case a.File != b.File:
		return a.File < b.File
	case a.Offset != b.Offset:
		return a.Offset < b.Offset
	case a.Seq != b.Seq:
		return a.Seq < b.Seq
	}
	return a.Run < b.Run
}
