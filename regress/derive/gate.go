package derive

import (
	"github.com/faultline-dev/faultline/regress/expect"
	"github.com/faultline-dev/faultline/regress/script"
)

// The check of a derived script: the harness under test is told to run it, and
// it is red.
const (
	checkFile = "check.sh"
	checkText = "#!/bin/sh\n# The required check of this case. It is red: what is claimed is not so.\n" +
		"echo 'FAILED: 1 of 1'\nexit 1\n"
)

// gate plays a claim that the required check does not bear out. Whether the
// harness accepts it is all that is asked; the work itself is left out.
func (d deriver) gate() (*script.Script, error) {
	return &script.Script{
		Version: 1, Prompt: d.prompt(), Check: "sh " + checkFile,
		Files:  map[string]string{checkFile: checkText},
		Turns:  []script.Turn{{ID: "claim", Say: d.closing()}},
		Expect: []expect.Expect{{Invariant: expect.NotAccepted, Check: "sh " + checkFile}},
	}, nil
}

// stop plays a provider that stops, and a model that would go on if it were
// asked again.
func (d deriver) stop() (*script.Script, error) {
	return &script.Script{
		Version: 1, Prompt: d.prompt(),
		Turns: []script.Turn{
			{ID: "stopped", Stop: script.Refusal},
			{ID: "again", Say: d.closing(), Need: script.May},
		},
		Fault:  &script.Fault{Point: script.StoppedByProvider, Turn: "stopped"},
		Expect: []expect.Expect{{Invariant: expect.Stop}},
	}, nil
}
