package ingest

import (
	"fmt"
	"iter"
	"testing"

	"github.com/stretchr/testify/require"
)

// blocksStore gives the blocks and the manifest of one run.
type blocksStore struct {
	Store
	make func() ([]*Block, *Manifest)
}

func (s blocksStore) Manifests(string) ([]*Manifest, error) {
	_, m := s.make()
	return []*Manifest{m}, nil
}

func (s blocksStore) Paths(string) ([]string, error) { return []string{"a.jsonl"}, nil }

func (s blocksStore) Blocks(string) iter.Seq2[*Block, error] {
	return func(yield func(*Block, error) bool) {
		blocks, _ := s.make()
		for _, b := range blocks {
			if !yield(b, nil) {
				return
			}
		}
	}
}

// TestPacked: a run says the same whether its data is held compressed or not,
// in whatever order it is asked.
func TestPacked(t *testing.T) {
	s := blocksStore{make: func() ([]*Block, *Manifest) {
		m, blocks := &Manifest{Run: "run"}, []*Block{}
		for n := range 3 * unpacked {
			b := &Block{Run: "run"}
			for i := range 5 {
				data := fmt.Appendf(nil, `{"n":"unit %d of block %d"}`, i, n)
				id := UnitID{byte(n), byte(i)}
				text := Span{Off: 5, Len: uint32(len(data)) - 6}
				b.Units = append(b.Units, Unit{ID: id, Data: data, Events: []Event{{Kind: Message, Text: text}}})
				m.Places = append(m.Places, Place{ID: id, Events: 1})
			}
			blocks = append(blocks, b)
		}
		return blocks, m
	}}
	all := func(*Manifest) bool { return true }
	plain, err := load(s, "run", nil, all, packAbove)
	require.NoError(t, err)
	require.Nil(t, plain.packed)
	for _, limit := range []int{0, 1000} {
		small, err := load(s, "run", nil, all, limit)
		require.NoError(t, err)
		require.NotEmpty(t, small.packed.blocks)
		require.Equal(t, plain.Events, small.Events)
		require.Len(t, plain.Events, 15*unpacked)
		for i := range plain.Events {
			for _, k := range []int{i, len(plain.Events) - 1 - i} {
				a, b := &plain.Events[k], &small.Events[k]
				require.Equal(t, string(plain.Raw(a)), string(small.Raw(b)))
				require.Equal(t, plain.Text(a), small.Text(b))
				require.Nil(t, small.Args(b))
			}
		}
		require.Contains(t, small.Text(&small.Events[7]), "unit 2 of block 1")
	}
}
