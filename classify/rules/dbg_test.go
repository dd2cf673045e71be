package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"context"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/redact"
	"github.com/faultline-dev/faultline/ingest/scan"
)

func TestDbg(t *testing.T) {
	if os.Getenv("DBG") == "" {
		t.Skip()
	}
	ar, _ := txtar.ParseFile(os.Getenv("DBG"))
	dir := t.TempDir()
	for _, f := range ar.Files {
		p := filepath.Join(dir, f.Name)
		os.MkdirAll(filepath.Dir(p), 0o755)
		os.WriteFile(p, f.Data, 0o644)
	}
	store := memstore.New()
	res, err := scan.Run(context.Background(), []string{dir}, scan.Options{Store: store, Redactor: redact.New(redact.Key{}), Receipt: func(r *ingest.Receipt) error { fmt.Printf("%+v\n", *r); return nil }})
	fmt.Println(res, err)
	for _, id := range append(res.Runs, ingest.RecordsRun) {
		r, err := ingest.Load(store, id, nil)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println("RUN", id, r.Format, r.Meta, r.Grade.Names())
		for i := range r.Events {
			e := &r.Events[i]
			tx := r.Text(e)
			if len(tx) > 100 {
				tx = tx[:100]
			}
			fmt.Printf("%d %s/%s %s call=%s out=%s/%s exit=%v copied=%v agent=%s args=%.80s | %q\n", r.Ref(e).Line, e.Kind, e.Actor, e.Name, e.Call, e.Outcome, e.Reason, e.Exit != nil, e.Copied, e.Agent, r.Args(e), tx)
			if e.Kind == ingest.RecordDoc {
				_, err := record.Decode(r.Detail(e))
				fmt.Println("   ", err, string(r.Detail(e)))
			}
		}
	}
}
