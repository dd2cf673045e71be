package decode

import (
	"slices"
	"unsafe"

	"github.com/faultline-dev/faultline/ingest"
)

// Memory is what Writers use again, from file to file, so that a small file
// does not cost new buffers, nor a run that is spread over many files the reading
// of all that the store has of it for each. It serves one Writer at a time, and
// one store. The zero Memory is ready for use.
type Memory struct {
	runs     runs
	lines    []byte // what was read ahead
	redacted []byte
	canon    []byte
	events   []ingest.Event // of the unit in hand
	blocks   []*pending     // free
}

// Reopened says that others may have written to the store since the last use:
// what is remembered of it is compared with it before it is believed.
func (m *Memory) Reopened() { m.runs.open++ }

// kept bounds the bytes of a buffer that stays for the next file: the largest
// unit should not stay in memory for good.
const kept = 2 << 20

// trim lets go of what grew far beyond the usual.
func (m *Memory) trim() {
	for _, buf := range []*[]byte{&m.lines, &m.redacted, &m.canon} {
		if cap(*buf) > kept {
			*buf = nil
		}
	}
	if cap(m.events)*eventHead > kept {
		m.events = nil
	}
	m.blocks = slices.DeleteFunc(m.blocks, func(p *pending) bool { return cap(p.data) > kept || cap(p.events) > 2*maxHeads/eventHead })
}

// lineBuffer is a buffer for reading a file of some size by lines.
func (m *Memory) lineBuffer(size int64) []byte {
	m.lines = slices.Grow(m.lines[:0], int(min(size, 1<<20))+1)
	return m.lines
}

// block returns an empty block.
func (m *Memory) block() *pending {
	if n := len(m.blocks); n > 0 {
		p := m.blocks[n-1]
		m.blocks = m.blocks[:n-1]
		return p
	}
	return &pending{}
}

// pending is the block of a run in hand. Its units' data and events lie one
// after the other; where they moved to grow, units before keep the old place.
type pending struct {
	data   []byte
	events []ingest.Event
	units  []ingest.Unit
}

func (p *pending) add(u *Unit, key bodyKey) {
	p.data = append(p.data, u.Data...)
	p.events = append(p.events, u.Events...)
	data, events := p.data[len(p.data)-len(u.Data):], p.events[len(p.events)-len(u.Events):]
	p.units = append(p.units, ingest.Unit{
		ID: key.id, Body: key.body, Native: u.Native != "", Carries: u.Carries, State: u.State,
		Node: u.Node, Under: u.Under, Open: u.Open,
		Data: slices.Clip(data), Events: slices.Clip(events),
	})
}

// Least a unit and an event take in a block beside the unit's data, in bytes.
const (
	unitHead  = int(unsafe.Sizeof(ingest.Unit{}))
	eventHead = int(unsafe.Sizeof(ingest.Event{}))
)

// maxHeads bounds what the units and events of a block take beside the data: a
// flood of units of a few bytes fills it long before their data fill a block.
const maxHeads = 4 << 20

// full reports that the block is to be written.
func (p *pending) full() bool {
	return len(p.data) >= blockSize || len(p.units)*unitHead+len(p.events)*eventHead >= maxHeads
}

func (p *pending) reset() {
	clear(p.events) // they hold strings
	clear(p.units)
	p.data, p.events, p.units = p.data[:0], p.events[:0], p.units[:0]
}
