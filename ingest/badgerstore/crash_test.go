package badgerstore_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/storetest"
)

// childDir and childSeed make the test binary the ingesting child.
const (
	childDir  = "FAULTLINE_CRASH_DIR"
	childSeed = "FAULTLINE_CRASH_SEED"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		seed, _ := strconv.ParseUint(os.Getenv(childSeed), 10, 64)
		if err := ingestUntilKilled(dir, seed); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// ingestUntilKilled acknowledges one file after the other on stdout, as ingest
// does: everything is put and synced first.
func ingestUntilKilled(dir string, seed uint64) error {
	s, err := badgerstore.Open(dir, badgerstore.Options{})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 3))
	for i := 0; ; i++ {
		run := fmt.Sprintf("run-%d-%d", seed, i)
		blocks := []*ingest.Block{storetest.RandomBlock(r, run, 10), storetest.RandomBlock(r, run, 1+r.IntN(100))}
		if i%10 == 1 { // several chunks
			blocks = append(blocks, storetest.RandomBlock(r, run, 1200))
		}
		if err := putFile(s, storetest.RandomManifest(r, blocks...), blocks); err != nil {
			return err
		}
	}
}

func putFile(s ingest.Store, m *ingest.Manifest, blocks []*ingest.Block) error {
	for _, b := range blocks {
		if err := s.PutBlock(b); err != nil {
			return err
		}
	}
	if err := s.PutManifest(m); err != nil {
		return err
	}
	if err := s.PutReceipt(&ingest.Receipt{Source: m.Digest, Digest: m.Digest, Units: len(m.Places), Runs: []string{m.Run}}, nil); err != nil {
		return err
	}
	if err := s.Sync(); err != nil {
		return err
	}
	_, err := fmt.Println("acknowledged", m.Digest)
	return err
}

func TestKilledWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	r := rand.New(rand.NewPCG(4, 5))
	acknowledged := 0
	var all []string
	for seed := range uint64(20) {
		digests := runAndKill(t, dir, seed, r.IntN(6), time.Duration(r.IntN(40))*time.Millisecond)
		acknowledged += len(digests)
		all = append(all, digests...)
		s := openIn(t, dir, badgerstore.Options{ReadOnly: seed%2 == 0})
		for _, digest := range digests {
			requireAcknowledged(t, s, digest)
		}
		require.NoError(t, s.Close())
	}
	require.Greater(t, acknowledged, 20, "the test saw acknowledgements")
	s := openIn(t, dir, reading)
	for _, digest := range all {
		requireAcknowledged(t, s, digest)
	}
}

// runAndKill lets a child write until some acknowledgements and a little more
// have passed, kills it and returns everything that it acknowledged.
func runAndKill(t *testing.T, dir string, seed uint64, after int, more time.Duration) []string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir, childSeed+"="+fmt.Sprint(seed))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var digests []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		digest, whole := strings.CutPrefix(lines.Text(), "acknowledged ")
		require.True(t, whole, lines.Text())
		digests = append(digests, digest)
		if len(digests) == after+1 {
			time.AfterFunc(more, func() { _ = cmd.Process.Kill() })
		}
	}
	require.ErrorContains(t, cmd.Wait(), "killed")
	return digests
}

func requireAcknowledged(t *testing.T, s ingest.Store, digest string) {
	t.Helper()
	receipt, err := s.Receipt(digest)
	require.NoError(t, err)
	paths, err := s.Paths(digest)
	require.NoError(t, err)
	require.Equal(t, []string{digest}, paths)
	manifests, err := s.Manifests(receipt.Runs[0])
	require.NoError(t, err)
	require.Len(t, manifests, 1)
	require.Len(t, manifests[0].Places, receipt.Units)
	_, err = ingest.Load(s, receipt.Runs[0], nil) // finds every unit of every place
	require.NoError(t, err)
}
