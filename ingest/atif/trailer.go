package atif

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
)

// trailerSize is how much of the end of an output is searched for the lines
// that OpenHands appends.
const trailerSize = 2048

// shellTrailer reads the lines that OpenHands appends to a command's output:
// its exit status, or that it still runs.
func shellTrailer(e *ingest.Event, text string) {
	tail := strings.TrimRight(text[max(0, len(text)-trailerSize):], " \r\n")
	if !strings.HasSuffix(tail, "]") {
		return
	}
	for _, open := range []string{"[Command finished with exit code ", "[The command completed with exit code "} {
		i := strings.LastIndex(tail, open)
		if i < 0 {
			continue
		}
		digits, _, ok := strings.Cut(tail[i+len(open):], "]")
		n, err := strconv.Atoi(strings.TrimSuffix(digits, "."))
		if !ok || err != nil {
			continue
		}
		switch e.Exit = &n; {
		case n == -1:
			e.Outcome = ingest.Pending
		case n != 0:
			e.Outcome, e.Reason = ingest.Fail, ingest.Errored
		}
		return
	}
	switch {
	case strings.Contains(tail, "[The command timed out after "):
		e.Outcome, e.Reason = ingest.Unknown, ingest.TimedOut
	case strings.Contains(tail, "[The command has no new output after "):
		e.Outcome = ingest.Pending
	}
}
