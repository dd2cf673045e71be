package codex

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// Format is the rollout of a thread, of a main agent or of a sub-agent. Times,
// usage, ends and approvals are recorded by some versions only: the decoder
// adds them to the grade when it meets the first.
var Format = decode.Format{
	Name:    "codex-rollout",
	Version: 1,
	Grade:   ingest.HasResults | ingest.HasExitCodes | ingest.HasErrors | ingest.HasTools,
	Detect:  detect,
	Decode:  run,
	Stored:  run,
}

func run(in *decode.Input, w *decode.Writer) error {
	o, err := outlineOf(in)
	if err != nil {
		return err
	}
	if o.session != "" {
		w.Begin(o.session)
	}
	if o.session != "" && o.answers {
		w.Settled()
	}
	return w.Lines(in, newDecoder(w, o).unit)
}
