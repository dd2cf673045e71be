package ingest

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"sync"
)

// packAbove is how many bytes of units a loaded run holds as they are. What
// comes after is held compressed, a third of the size or less, and unpacked when it is
// asked for, so that one huge session does not take the memory of its file.
const packAbove = 32 << 20

// unpacked is how many blocks stay unpacked: what is read together mostly lies
// together.
const unpacked = 8

// packed holds the data of blocks compressed. It is safe for concurrent use
// once all are added.
type packed struct {
	enc    *flate.Writer // the library's own: the model takes no third party in
	blocks [][]byte

	mu     sync.Mutex
	recent [unpacked]struct {
		block int // from 1
		data  []byte
	}
	next int
}

// body is a unit of a loaded run, where its events lie among all, and its data
// when it is packed.
type body struct {
	*Unit
	first, count  int32 // of its events
	block, off, n int32 // block from 1; 0 when Data holds the data
}

func newPacked() (*packed, error) {
	enc, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		return nil, fmt.Errorf("pack units: %w", err)
	}
	return &packed{enc: enc}, nil
}

// add packs the data of a block and takes it from its units.
func (p *packed) add(units []body) error {
	var all []byte
	for i := range units {
		u := &units[i]
		u.block, u.off, u.n = int32(len(p.blocks)+1), int32(len(all)), int32(len(u.Data))
		all = append(all, u.Data...)
		u.Data = nil
	}
	var buf bytes.Buffer
	p.enc.Reset(&buf)
	if _, err := p.enc.Write(all); err != nil {
		return fmt.Errorf("pack units: %w", err)
	}
	if err := p.enc.Close(); err != nil {
		return fmt.Errorf("pack units: %w", err)
	}
	p.blocks = append(p.blocks, bytes.Clone(buf.Bytes()))
	return nil
}

// get returns the data of a unit, which is not to be kept: it lies in that of
// its block.
func (p *packed) get(u body) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.recent {
		if r := &p.recent[i]; r.block == int(u.block) {
			return r.data[u.off : u.off+u.n]
		}
	}
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(p.blocks[u.block-1])))
	if err != nil {
		panic(fmt.Sprintf("unpack what was packed in memory: %v", err))
	}
	r := &p.recent[p.next]
	r.block, r.data = int(u.block), data
	p.next = (p.next + 1) % unpacked
	return data[u.off : u.off+u.n]
}

// bodies are the units of a run's blocks as they are loaded.
type bodies struct {
	readings readings
	units    map[bodyKey]body
	events   []Event // of all units; Seq is set in those that were taken
	size     int
	packed   *packed
}

// bodyKey is a unit's content in one reading.
type bodyKey struct {
	id      UnitID
	body    [8]byte
	reading int
}

// readings numbers those that the manifests of a run name; 0 is the zero one,
// which serves all.
type readings map[Reading]int

func (rs readings) add(r Reading) {
	if _, ok := rs[r]; !ok {
		rs[r] = len(rs)
	}
}

// find returns the unit at a place of a manifest.
func (b *bodies) find(p *Place, reading int) body {
	if u, ok := b.units[bodyKey{p.ID, p.Body, reading}]; ok {
		return u
	}
	return b.units[bodyKey{p.ID, p.Body, 0}]
}

// add takes a block in, unless no manifest asks for its reading.
func (b *bodies) add(block *Block, limit int) (err error) {
	reading, asked := b.readings[block.Reading]
	if !asked {
		return nil
	}
	if b.size > limit && b.packed == nil {
		if b.packed, err = newPacked(); err != nil {
			return err
		}
	}
	units := make([]body, len(block.Units))
	for i := range block.Units {
		u := &block.Units[i]
		b.size += len(u.Data)
		units[i] = body{Unit: u, first: int32(len(b.events)), count: int32(len(u.Events))}
		b.events = append(b.events, u.Events...)
		u.Events = nil // those of the block are free
	}
	if b.packed != nil {
		if err := b.packed.add(units); err != nil {
			return err
		}
	}
	for _, u := range units {
		b.units[bodyKey{u.ID, u.Body, reading}] = u
	}
	return nil
}

// take gives the first n events of a unit, in place when they are asked for the
// first time, and where they lie.
func (b *bodies) take(u body, n int) ([]Event, int) {
	n = min(n, int(u.count))
	first := int(u.first)
	if n > 0 && b.events[first].Seq != 0 {
		first = len(b.events)
		b.events = append(b.events, b.events[u.first:int(u.first)+n]...)
	}
	return b.events[first : first+n], first
}
