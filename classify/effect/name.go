package effect

import (
	"slices"
	"strings"
)

// parsed is what a tool's name alone says.
type parsed struct {
	server, tool string
	words        []string
	prefix       []string // words before the verb, when they name the service
	at           int      // index of the verb in words, -1 for none
	m            meaning
	resource     string
}

// parseName splits server and tool and finds verb and resource.
func parseName(name string) parsed {
	p := parsed{at: -1}
	rest := strings.TrimPrefix(name, "mcp__")
	if server, tool, ok := strings.Cut(rest, "__"); ok && tool != "" {
		p.server, rest = strings.Join(splitWords(server), "_"), tool
	}
	p.words = joinCompounds(splitWords(rest))
	if own := splitWords(p.server); len(own) > 0 && len(p.words) > len(own) && slices.Equal(own, p.words[:len(own)]) {
		p.words = p.words[len(own):] // mcp__git__git_commit
	}
	p.tool = strings.Join(p.words, "_")
	p.at = findVerb(p.words)
	if p.at > 0 && p.at < len(p.words)-1 {
		// service_create_order: what stands before the verb is the service.
		if joined(p.words[p.at-1]) { // create_or_update_file
			p.words, p.at = p.words[p.at:], 0
		} else {
			p.prefix = p.words[:p.at]
			if p.prefix[0] == "mcp" {
				p.prefix = p.prefix[1:]
			}
			p.words, p.at = p.words[p.at:], 0
			p.tool = strings.Join(p.words, "_")
			if p.server == "" {
				p.server = strings.Join(p.prefix, "_")
			}
		}
	}
	if p.at >= 0 {
		p.m = verbs[p.words[p.at]]
		p.resource = p.findResource()
	}
	return p
}

// compounds are verbs that names write as two words.
var compounds = map[string]string{"top up": "topup", "sign up": "signup", "check out": "checkout", "pay out": "payout", "log in": "login", "sign in": "signin"}

func joinCompounds(words []string) []string {
	for i := 0; i+1 < len(words); i++ {
		if one, ok := compounds[words[i]+" "+words[i+1]]; ok {
			words = append(append(words[:i:i], one), words[i+2:]...)
		}
	}
	return words
}

// findVerb returns the index of the word that says what is done. A word that
// is also a noun counts only when no plain verb is there; "get or create"
// creates.
func findVerb(words []string) int {
	plain, noun := -1, -1
	for i, w := range words {
		m, ok := verbs[w]
		switch {
		case !ok:
		case !m.noun && plain < 0:
			plain = i
		case !m.noun && m.write && joined(words[i-1]) && (!verbs[words[plain]].write || words[i-1] == "and" && verbs[words[plain]].repeatable && !m.repeatable):
			plain = i
		case m.noun && noun < 0:
			noun = i
		}
	}
	last := len(words) - 1
	if plain >= 0 && plain < last && !verbs[words[plain]].write {
		if m, ok := verbs[words[last]]; ok && m.write && !m.noun && plain > 0 {
			return last // "shopping_list_add" adds
		}
	}
	if plain >= 0 {
		return plain
	}
	if noun >= 0 && noun < last && lookupNoun[words[last]] {
		return last // "order_status" looks
	}
	return noun
}

var lookupNoun = wordSet("status count list logs search query check diff snapshot preview version")

// findResource takes the nouns after the verb, or before it when it is last.
func (p parsed) findResource() string {
	nouns, owner, inOwner := []string{}, []string{}, false
	after := p.words[p.at+1:]
	if len(after) > 1 && joined(after[0]) { // create_or_update_file
		if _, ok := verbs[after[1]]; ok {
			after = after[2:]
		}
	}
	for _, w := range after {
		if names, ok := linkers[w]; ok {
			if !names || inOwner {
				break
			}
			inOwner = true
			continue
		}
		if inOwner {
			owner = append(owner, w)
		} else {
			nouns = append(nouns, w)
		}
	}
	if len(nouns) == 0 && len(owner) == 0 {
		for _, w := range p.words[:p.at] {
			if m, isVerb := verbs[w]; !joined(w) && !carriers[w] && (!isVerb || m.noun) {
				nouns = append(nouns, w)
			}
		}
	}
	if len(p.prefix) > 0 && len(owner) == 0 && !slices.ContainsFunc(nouns, func(w string) bool { return !qualifiers[w] }) {
		nouns = p.prefix // order_list_items
	}
	if p.m.write {
		nouns = append(owner, nouns...)
	}
	if res := resourceName(nouns); res != "" && !(len(owner) > 0 && len(nouns) == len(owner) && p.m.resource != "") {
		return res
	}
	if p.m.resource != "" && len(owner) > 0 {
		return fold(resourceName(owner) + "-" + p.m.resource)
	}
	return fold(p.m.resource)
}

// carriers stand before the word that says what is done: request_refund.
var carriers = wordSet("request process initiate execute perform do handle")

func joined(word string) bool { return word == "or" || word == "and" }
