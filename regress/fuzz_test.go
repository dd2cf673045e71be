package regress

import (
	"bytes"
	"testing"
)

// FuzzParseCase: whatever is read as a case is written and read again as the
// same one.
func FuzzParseCase(f *testing.F) {
	c := &Case{Comment: "What failed.\n", Rule: "acceptance/missing-check", Layer: "acceptance", Fingerprint: "0123456789ab", Status: Candidate,
		Sources: []Source{{Finding: "f", Run: "r"}}, Components: []string{},
		Trace: []byte(`{"faultline":"event/v1","run_id":"r","kind":"message","actor":"user","at":null,"text":"-- want --\n"}` + "\n"),
		Want:  []Want{{"acceptance/missing-check", "high", "trace.jsonl", 1}}}
	c.ID = c.contentID()
	f.Add(c.Bytes())
	c.Config, c.Records = []byte("checks:\n- run: go test ./...\n"), []byte(`{"faultline":"contract/v1","tool":"t"}`+"\n")
	c.ID = c.contentID()
	f.Add(c.Bytes())
	f.Add([]byte("-- case.json --\n{\"status\":\"candidate\"}\n-- trace.jsonl --\n-- want --\nfinding a/b high trace.jsonl:99999999999999999999\n"))
	f.Add([]byte("-- want --\n-- want --\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p := parser{name: "f", files: map[string]section{}}
		c, err := p.parse(data) // without the id, which no fuzzer guesses
		if err != nil {
			return
		}
		c.ID = c.contentID()
		back, err := ParseCase("f", c.Bytes())
		if err != nil {
			t.Fatalf("written case: %v", err)
		}
		if !bytes.Equal(back.Bytes(), c.Bytes()) {
			t.Fatalf("%q\nbecame\n%q", c.Bytes(), back.Bytes())
		}
	})
}
