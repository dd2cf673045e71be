package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestCorpusDump(t *testing.T) {
	root := os.Getenv("FAULTLINE_CORPUS")
	if root == "" {
		t.Skip()
	}
	vs := triage(t, root)
	for _, v := range vs {
		rel, _ := filepath.Rel(root, v.Source)
		fmt.Printf("%-70s %s/%s eps=%d abst=%d\n", rel, v.Layer, v.Owner, len(v.Episodes), len(v.Abstentions))
		for _, e := range v.Episodes {
			if len(v.Episodes) < 4 {
				fmt.Printf("     ep%d %d-%d acc=%s open=%v\n", e.Index, e.First, e.Last, e.Accepted, e.Open)
			}
		}
		for _, f := range v.Findings {
			fmt.Printf("       %s %s %s: %s", f.Severity, f.Grade, f.Rule, f.Message)
			for _, r := range f.Refs {
				fmt.Printf(" [%s:%d]", filepath.Base(r.File), r.Line)
			}
			fmt.Println()
		}
		for _, a := range v.Abstentions {
			fmt.Println("       abstain", a.Rule, a.Missing)
		}
	}
}
