package classify

import (
	"context"
	"hash/fnv"
)

// Shard is one of several parts into which the threads of a call are dealt, so
// that each can be judged elsewhere. The zero Shard is all of them.
type Shard struct {
	Index, Count int // Index counts from 1
}

// holds reports that the thread with a root, its least run id, is in the shard.
func (s Shard) holds(root string) bool {
	if s.Count <= 1 {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(root)) // never fails
	return int(h.Sum64()%uint64(s.Count))+1 == s.Index
}

// foreign reads a thread of another shard: only the effects that a recorded
// contract lets compare with those of this shard's threads.
func (in Input) foreign(ctx context.Context, ids []string, records Records, k keyed) (threadResult, error) {
	res := threadResult{linked: make([]bool, len(records))}
	if !in.contracts(records) {
		return res, nil
	}
	th, _, err := in.read(ctx, ids, records, k)
	if err == nil {
		res.effects = th.contracted()
	}
	return res, err
}

// contracts reports that this call knows a recorded contract.
func (in Input) contracts(records Records) bool {
	for _, r := range records {
		if r.Contract != nil {
			return true
		}
	}
	if in.Global != nil {
		return len(in.Global.Contracts) > 0
	}
	for _, c := range in.Configs {
		if len(c.Contracts) > 0 {
			return true
		}
	}
	return false
}
