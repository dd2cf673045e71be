package world

import (
	"slices"
	"strconv"

	"github.com/faultline-dev/faultline/regress/script"
)

// ask is one asking of a call by a message of the model that the harness got.
type ask struct {
	at       spot
	tool     *script.Tool
	id       string
	request  string // digest of the request that it answers
	message  int
	used     bool // it was dispatched
	twice    bool // it was delivered twice under its id
	parallel bool // its message has more calls
	others   []string
}

// asks are all askings of a play.
type asks struct {
	seed  string
	times map[spot]int
	ids   map[string]spot
	byKey map[string][]*ask
}

func newAsks(seed string) *asks {
	return &asks{seed, map[spot]int{}, map[string]spot{}, map[string][]*ask{}}
}

// spot is the call of an id.
func (a *asks) spot(id string) (spot, bool) {
	at, ok := a.ids[id]
	return at, ok
}

// id is a new id for a call.
func (a *asks) id(at spot, turn string) string {
	n := a.times[at]
	a.times[at]++
	id := "call_" + digest(24, a.seed, turn, strconv.Itoa(at.pos), strconv.Itoa(n))
	a.ids[id] = at
	return id
}

// add notes that the harness got an asking. The answer to the same request again
// (a stream that was cut) takes the place of the first: the model did not ask anew.
func (a *asks) add(key string, n *ask) {
	for _, old := range a.byKey[key] {
		if old.request == n.request && old.at == n.at {
			old.others = append(old.others, n.id)
			old.twice = old.twice || n.twice
			return
		}
	}
	a.byKey[key] = append(a.byKey[key], n)
}

// take finds what a dispatch carries out: the asking of its id where it tells
// one, else the first that was not carried out yet.
func (a *asks) take(key, id string) *ask {
	for _, n := range a.byKey[key] {
		if !n.used && (id == "" || n.known(id)) {
			n.used = true
			return n
		}
	}
	return nil
}

func (n *ask) known(id string) bool { return n.id == id || slices.Contains(n.others, id) }
