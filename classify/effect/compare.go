package effect

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// opposite pairs a verb with those that revert it.
var opposite = map[Verb][]Verb{
	Create:   {Delete, Cancel, Close, Return},
	Book:     {Cancel, Delete},
	Open:     {Close, Cancel, Delete},
	Start:    {Cancel, Close, Delete},
	Deploy:   {Delete, Cancel, Update},
	Pay:      {Return, Cancel},
	Transfer: {Return, Cancel},
	Push:     {Delete},
	Set:      {Delete, Cancel},
	Update:   {Delete, Cancel},
	Send:     {Delete, Cancel},
	Append:   {Delete},
	Exchange: {Cancel},
	Return:   {Cancel},
	Close:    {Open},
	Delete:   {Open},
}

// Undo reports whether b, dispatched after a, takes a's effect back: an
// opposite verb on the same resource whose ids do not contradict a's. An id
// that only a's reply holds cannot be compared; see [ResultID].
func Undo(a, b Effect) bool {
	if !a.isWrite() || !b.isWrite() || !slices.Contains(opposite[a.Verb], b.Verb) {
		return false
	}
	if strings.HasPrefix(a.Resource, "http:") || strings.HasPrefix(b.Resource, "http:") {
		return httpUndo(a, b)
	}
	target := b.Undoes
	if target == "" {
		target = b.Resource
	}
	if a.Verb == Update || a.Verb == Set { // cancelling an order drops its changes
		return family(target, a.Resource) && shares(a, b) == same
	}
	return (sameThing(target, a.Resource) || sameThing(target, a.Yields)) && shares(a, b) != conflict
}

func httpUndo(a, b Effect) bool {
	ap, bp := httpTarget(a.Resource), httpTarget(b.Resource)
	return ap != "" && (bp == ap || strings.HasPrefix(bp, ap+"/"))
}

// httpTarget is host/path of an http resource, or "".
func httpTarget(resource string) string {
	if !strings.HasPrefix(resource, "http:") {
		return ""
	}
	_, target, _ := strings.Cut(resource, " ")
	return target
}

// Reveals reports whether the read could have told that the write happened:
// the same family of resource and no contradicting id.
func Reveals(read, write Effect) bool {
	if read.LooksUp == "" || !write.isWrite() {
		return false
	}
	rp, wp := httpTarget(read.LooksUp), httpTarget(write.Resource)
	switch {
	case rp != "" && wp != "":
		return nested(rp, wp)
	case rp != "" || wp != "": // "gh api" writes, "gh issue list" looks
		return family(httpNoun(rp)+nounOnly(read.LooksUp, rp), httpNoun(wp)+nounOnly(write.Resource, wp))
	case write.Resource == "k8s/manifest" && strings.HasPrefix(read.LooksUp, "k8s/"):
		return true
	}
	if family(read.LooksUp, write.Resource) || family(read.LooksUp, write.Yields) || keeps(read.LooksUp, write) {
		return shares(read, write) != conflict && !asksOther(read, write)
	}
	if actsOn(read.LooksUp, write) && shares(read, write) == same {
		return true
	}
	// an owner's record shows what belongs to it
	return owners[read.LooksUp] && shares(read, write) == same
}

// actsOn reports that the write does something to the thing that is looked up,
// which it names by an id: the order shows its refund.
func actsOn(looked string, write Effect) bool {
	switch write.Verb {
	case Return, Pay, Exchange, Cancel, Close, Update, Set, Delete:
	default:
		return false
	}
	noun := flatKey(looked)
	for key := range write.members().ids {
		if noun != "" && strings.HasPrefix(key, noun) {
			return true
		}
	}
	return false
}

// kept names where things are found besides under their own name.
var kept = map[string]map[string]bool{
	"event": wordSet("calendar schedule agenda"), "message": wordSet("channel chat conversation thread"), "notification": wordSet("channel inbox"),
	"email": wordSet("inbox mailbox outbox mail thread sent-email"), "card": wordSet("board"), "row": wordSet("sheet spreadsheet table"), "task": wordSet("project board"),
	"reminder": wordSet("calendar"), "appointment": wordSet("calendar schedule slot"), "item": wordSet("cart basket"),
}

// moneyTrail are what shows that money moved.
var moneyTrail = wordSet("payment transaction transfer balance statement ledger refund charge payout account")

// keeps reports that what the read looks up holds what the write makes.
func keeps(looked string, write Effect) bool {
	head := looked[strings.LastIndexAny(looked, "-/")+1:]
	switch write.Verb {
	case Pay, Transfer, Return:
		if moneyTrail[head] {
			return true
		}
	}
	made := write.Resource[strings.LastIndexAny(write.Resource, "-/")+1:]
	return kept[made][head]
}

// httpNoun is the last word of an http target that is no id.
func httpNoun(target string) string {
	parts := strings.Split(target, "/")
	for i := len(parts) - 1; i > 0; i-- {
		if w := parts[i]; w != "" && !strings.ContainsAny(w, "0123456789") {
			return fold(singular(strings.ToLower(w)))
		}
	}
	return ""
}

// nounOnly is the resource where it is no http target.
func nounOnly(resource, target string) string {
	if target != "" {
		return ""
	}
	return resource
}

// asksOther: the read names, under an argument that the write has too, another
// value: it asks about another thing.
func asksOther(read, write Effect) bool {
	r, w := read.members().scalars, write.members().scalars
	for name, v := range r {
		if other, ok := w[name]; ok && other != v && !shapesAnswer[name] {
			return true
		}
	}
	return false
}

// shapesAnswer are arguments of a read that say how to answer, not about what.
var shapesAnswer = wordSet("limit page offset cursor sort order fields format status state count size per_page from to sql")

// scalars returns the string, number and boolean members of an identity.
func scalars(identity string) map[string]string {
	out := map[string]string{}
	var members map[string]jsontext.Value
	if json.Unmarshal([]byte(identity), &members) != nil {
		return out
	}
	for name, v := range members {
		if len(v) > 0 && v[0] != '{' && v[0] != '[' && v[0] != 'n' {
			out[name] = strings.ToLower(string(v))
		}
	}
	return out
}

// nested: one path is the other or lies below it.
func nested(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+"/") || strings.HasPrefix(b, a+"/")
}

var owners = wordSet("user customer account client member profile tenant")

// sameThing: equal, or one is the other's last noun ("order", "pending-order").
func sameThing(a, b string) bool {
	return a != "" && (a == b || strings.HasSuffix(a, "-"+b) || strings.HasSuffix(b, "-"+a) ||
		a != "" && a[strings.LastIndexAny(a, "/-")+1:] == b)
}

// family: the nouns of one are among the other's.
func family(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if a == b {
		return true
	}
	cut := func(r rune) bool { return r == '-' || r == '/' }
	return among(strings.FieldsFunc(a, cut), strings.FieldsFunc(b, cut)) || among(strings.FieldsFunc(b, cut), strings.FieldsFunc(a, cut))
}

func among(part, whole []string) bool {
	for _, w := range part {
		if !slices.Contains(whole, w) {
			return false
		}
	}
	return len(part) > 0
}

type overlap int

const (
	apart overlap = iota // no id in common to compare
	same
	conflict
)

// members is what an identity holds: its scalar members, and the values of its
// id-like ones with their keys in order.
type members struct {
	scalars map[string]string
	ids     map[string][]string
	keys    []string
}

func readMembers(identity string) *members {
	ids := idsOf(identity)
	return &members{scalars: scalars(identity), ids: ids, keys: slices.Sorted(maps.Keys(ids))}
}

// CanUndo reports that the verb reverts some other.
func (e Effect) CanUndo() bool {
	for _, verbs := range opposite {
		if slices.Contains(verbs, e.Verb) {
			return true
		}
	}
	return false
}

// shares compares the ids that two identities hold under equal keys. A value
// in common under any id key settles it.
func shares(a, b Effect) overlap {
	am, bm := a.members().ids, b.members().ids
	result := apart
	for _, k := range a.members().keys {
		bv, ok := bm[k]
		if !ok {
			continue
		}
		if slices.ContainsFunc(am[k], func(s string) bool { return slices.ContainsFunc(bv, func(t string) bool { return sameID(s, t) }) }) {
			if !owners[strings.TrimSuffix(k, "id")] {
				return same
			}
			if result == apart {
				result = same
			}
			continue
		}
		result = conflict
	}
	return result
}

// sameID: equal, or one address lies below the other.
func sameID(a, b string) bool {
	return a == b || strings.Contains(a, "/") && strings.Contains(b, "/") && nested(a, b)
}

// idsOf collects the values of id-like members of an identity.
func idsOf(identity string) map[string][]string {
	v, _ := parseArgs([]byte(identity))
	m, _ := v.(map[string]value)
	ids := map[string][]string{}
	for k, v := range m {
		f := flatKey(k)
		if !idKey(f) {
			continue
		}
		if s := scalar(v); s != "" {
			ids[f] = append(ids[f], s)
		}
		list, _ := v.([]value)
		for _, e := range list {
			if s := scalar(e); s != "" {
				ids[f] = append(ids[f], s)
			}
		}
	}
	return ids
}

func idKey(flat string) bool {
	switch flat {
	case "arg", "number", "name", "path", "url", "bucket", "key", "ref", "slug", "email", "repo", "owner", "uuid", "arn", "host", "to":
		return true
	}
	return strings.HasSuffix(flat, "id") || strings.HasSuffix(flat, "ids") || strings.HasSuffix(flat, "number") || strings.HasSuffix(flat, "no") || strings.HasSuffix(flat, "name")
}
