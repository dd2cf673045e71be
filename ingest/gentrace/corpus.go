package gentrace

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Corpus writes session files of about size bytes in all below dir, in folders
// of projects; lengths of files vary around mean bytes. Dir is made.
func Corpus(dir string, seed uint64, size, mean int64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	for n := 0; size > 0; n++ {
		want := min(size, int64(float64(mean)*math.Exp(0.8*r.NormFloat64()-0.32)))
		project := filepath.Join(dir, fmt.Sprintf("-srv-project-%02d", n/40))
		wrote, err := writeFile(project, seed+uint64(n)<<20, max(want, 4<<10))
		if err != nil {
			return fmt.Errorf("generate traces: %w", err)
		}
		size -= wrote
	}
	return nil
}

func writeFile(dir string, seed uint64, size int64) (wrote int64, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, err
	}
	s := newSession(seed)
	f, err := os.Create(filepath.Join(dir, s.id+".jsonl"))
	if err != nil {
		return 0, err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if wrote, err = s.write(w, size); err != nil {
		return wrote, err
	}
	return wrote, w.Flush()
}

// Session writes one session of about size bytes, or somewhat more: it ends
// where the agent does.
func Session(w io.Writer, seed uint64, size int64) error {
	_, err := newSession(seed).write(w, size)
	return err
}
