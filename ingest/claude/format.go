package claude

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// grade is what both formats record. Allowed calls leave no trace, so
// approvals are not among it, although denials are seen.
const grade = ingest.HasResults | ingest.HasExitCodes | ingest.HasErrors | ingest.HasUsage | ingest.HasTools

// Session is the session transcript, of a main agent or of a sub-agent in a
// file of its own.
var Session = decode.Format{
	Name:    "claude-code-jsonl",
	Version: 1,
	Grade:   grade | ingest.HasTimes,
	Detect:  func(head []byte) bool { return detect(head) == session },
	Decode:  runSession,
	Stored:  runSession,
}

// Stream is the log of a headless run. It states how the run ended; times are
// recorded only by some versions.
var Stream = decode.Format{
	Name:    "claude-code-stream-json",
	Version: 1,
	Grade:   grade | ingest.HasEnds,
	Detect:  func(head []byte) bool { return detect(head) == stream },
	Decode:  runStream,
	Stored:  runStream,
}

// dialect tells the two formats apart; 0 is neither.
type dialect int

const (
	session dialect = iota + 1
	stream
)

func runSession(in *decode.Input, w *decode.Writer) error { return run(in, w, session) }
func runStream(in *decode.Input, w *decode.Writer) error  { return run(in, w, stream) }

func run(in *decode.Input, w *decode.Writer, as dialect) error {
	who, err := firstIdentity(in)
	if err != nil {
		return err
	}
	if who.session != "" {
		w.Begin(who.session, who.agent)
		w.Settled()
	}
	return w.Lines(in, newDecoder(w, as, who.agent).unit)
}
