//go:build unix

package badgerstore_test

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
)

// benchBlocks is how many blocks of benchBlock bytes make the input: 80 MB.
const (
	benchBlocks = 320
	benchBlock  = 256 << 10
)

// cpu is the user and system time of the process in seconds: wall time says
// little on a shared machine.
func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkStore writes, closes and scans 80 MB of JSON-like text in the store
// and in a flat file of zstd frames of the same level.
func BenchmarkStore(b *testing.B) {
	blocks := benchInput()
	for b.Loop() {
		dir := filepath.Join(b.TempDir(), "store")
		size := 0
		for _, block := range blocks {
			for _, u := range block.Units {
				size += len(u.Data)
			}
		}
		mb := float64(size) / 1e6
		flat := filepath.Join(b.TempDir(), "flat.zst")

		start := cpu()
		writeFlat(b, flat, blocks)
		flatWrite := cpu() - start
		start = cpu()
		writeStore(b, dir, blocks)
		storeWrite := cpu() - start
		start = cpu()
		scanFlat(b, flat)
		flatScan := cpu() - start
		start = cpu()
		scanStore(b, dir, size)
		storeScan := cpu() - start

		b.ReportMetric(mb/flatWrite, "flat-write-MB/cpu-s")
		b.ReportMetric(mb/storeWrite, "write-MB/cpu-s")
		b.ReportMetric(flatWrite/storeWrite, "write/flat")
		b.ReportMetric(mb/flatScan, "flat-scan-MB/cpu-s")
		b.ReportMetric(mb/storeScan, "scan-MB/cpu-s")
		b.ReportMetric(float64(sizeOf(b, flat))/float64(size), "flat-disk/input")
		b.ReportMetric(float64(sizeOf(b, dir))/float64(size), "disk/input")
	}
}

func benchInput() []*ingest.Block {
	r := rand.New(rand.NewPCG(6, 7))
	words := make([]string, 4000)
	for i := range words {
		words[i] = fmt.Sprintf("%x", r.Uint64N(1<<uint(8+r.IntN(40))))
	}
	blocks := make([]*ingest.Block, benchBlocks)
	for i := range blocks {
		blocks[i] = &ingest.Block{Run: fmt.Sprintf("run%05d", r.IntN(40))}
		for size := 0; size < benchBlock; {
			u := benchUnit(r, words)
			size += len(u.Data)
			blocks[i].Units = append(blocks[i].Units, u)
		}
	}
	return blocks
}

func benchUnit(r *rand.Rand, words []string) ingest.Unit {
	id := fmt.Sprintf("%016x", r.Uint64())
	data := fmt.Appendf(nil, `{"type":"assistant","uuid":"%s","timestamp":"2026-02-03T04:%02d:%02d.123Z","message":{"role":"assistant","content":[{"type":"text","text":"`,
		id, r.IntN(60), r.IntN(60))
	start := len(data)
	for range 20 + r.IntN(300) {
		f := r.Float64()
		data = append(append(data, words[int(f*f*f*float64(len(words)))]...), ' ')
	}
	end := len(data)
	data = append(data, `"}],"usage":{"input_tokens":3,"output_tokens":77}}}`...)
	u := ingest.Unit{ID: ingest.NativeUnit(id), Native: true, Data: data}
	binary.LittleEndian.PutUint64(u.Body[:], r.Uint64())
	u.Events = []ingest.Event{{
		Kind: ingest.Message, Actor: ingest.Agent, Quality: ingest.Exact, ID: id, Message: id, Model: "model",
		Text: ingest.Span{Off: uint32(start - 1), Len: uint32(end - start + 2)}, Usage: &ingest.Usage{InputUncached: 3, Output: 77},
	}}
	return u
}

func writeFlat(b *testing.B, path string, blocks []*ingest.Block) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	require.NoError(b, err)
	f, err := os.Create(path)
	require.NoError(b, err)
	var raw, packed []byte
	for _, block := range blocks {
		raw = raw[:0]
		for _, u := range block.Units {
			raw = append(raw, u.Data...)
		}
		packed = enc.EncodeAll(raw, packed[:0])
		_, err = f.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(packed))))
		require.NoError(b, err)
		_, err = f.Write(packed)
		require.NoError(b, err)
	}
	require.NoError(b, f.Sync())
	require.NoError(b, f.Close())
}

func scanFlat(b *testing.B, path string) {
	dec, err := zstd.NewReader(nil)
	require.NoError(b, err)
	defer dec.Close()
	all, err := os.ReadFile(path)
	require.NoError(b, err)
	var raw []byte
	for len(all) > 0 {
		n := binary.LittleEndian.Uint32(all)
		raw, err = dec.DecodeAll(all[4:4+n], raw[:0])
		require.NoError(b, err)
		all = all[4+n:]
	}
}

func writeStore(b *testing.B, dir string, blocks []*ingest.Block) {
	s, err := badgerstore.Open(dir, badgerstore.Options{})
	require.NoError(b, err)
	for _, block := range blocks {
		require.NoError(b, s.PutBlock(block))
	}
	require.NoError(b, s.Sync())
	require.NoError(b, s.Close())
}

func scanStore(b *testing.B, dir string, size int) {
	s, err := badgerstore.Open(dir, badgerstore.Options{ReadOnly: true})
	require.NoError(b, err)
	for i := range 40 {
		for block, err := range s.Blocks(fmt.Sprintf("run%05d", i)) {
			require.NoError(b, err)
			for _, u := range block.Units {
				size -= len(u.Data)
			}
		}
	}
	require.Zero(b, size)
	require.NoError(b, s.Close())
}

func sizeOf(b *testing.B, root string) (size int64) {
	err := filepath.WalkDir(root, func(_ string, d fs.DirEntry, err error) error {
		require.NoError(b, err)
		info, err := d.Info()
		if err == nil && info.Mode().IsRegular() {
			size += info.Sys().(*syscall.Stat_t).Blocks * 512 // Badger makes sparse files
		}
		return err
	})
	require.NoError(b, err)
	return size
}
