package badgerstore

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/storetest"
)

// FuzzBlock feeds corrupt bytes to every decoder, as stored and as packed:
// they may fail, never panic. What decodes as a block encodes to a block that
// decodes the same way.
func FuzzBlock(f *testing.F) {
	p, err := newPacker()
	require.NoError(f, err)
	r := rand.New(rand.NewPCG(1, 1))
	block := storetest.RandomBlock(r, "run", 3)
	raw := new(writer).block(nil, block)
	packed, err := p.pack(nil, raw)
	require.NoError(f, err)
	f.Add(raw)
	f.Add(packed)
	f.Add(new(writer).manifest(nil, storetest.RandomManifest(r, block), false))
	f.Add(new(writer).receipt(nil, &ingest.Receipt{Source: "a", Runs: []string{"r"}, Reasons: []ingest.ReasonCount{{Kind: "k", Count: 1}}}))
	f.Add(new(writer).quarantine(nil, []ingest.Quarantined{{Data: []byte("x")}}))
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = decodeManifest("run", b)
		_, _ = decodeReceipt(b)
		_, _ = decodeQuarantine(b)
		_, _ = p.unpack(b)
		got, err := decodeBlock("run", b)
		if err != nil {
			return
		}
		again := new(writer).block(nil, got)
		twice, err := decodeBlock("run", again)
		require.NoError(t, err)
		require.True(t, bytes.Equal(again, new(writer).block(nil, twice)))
	})
}

// TestVersions: an encoding that changes is to raise the layout as well, unless
// that was raised since the last release.
func TestVersions(t *testing.T) {
	require.Equal(t, [5]int{2, 3, 5, 2, 1}, [5]int{layoutVersion, blockVersion, manifestVersion, receiptVersion, quarantineVersion})
}

// TestCorrupt cuts and flips every byte of real values: an error or another
// value, and an error whenever something is missing.
func TestCorrupt(t *testing.T) {
	p, err := newPacker()
	require.NoError(t, err)
	raw := new(writer).block(nil, storetest.RandomBlock(rand.New(rand.NewPCG(2, 2)), "run", 1))
	packed, err := p.pack(nil, raw)
	require.NoError(t, err)
	for i := range raw {
		_, err := decodeBlock("run", raw[:i])
		require.ErrorIs(t, err, errCorrupt)
		flipped := bytes.Clone(raw)
		flipped[i] ^= 0x80
		_, _ = decodeBlock("run", flipped)
	}
	for i := range packed {
		_, err := p.unpack(packed[:i])
		require.ErrorIs(t, err, errCorrupt)
		flipped := bytes.Clone(packed)
		flipped[i] ^= 0x01
		if got, err := p.unpack(flipped); err == nil {
			require.Equal(t, raw, got, "the checksum holds the content")
		}
	}
}
