package redact

import (
	"bytes"
	"strings"
)

// nameAnchors are the words in which the name of a secret ends.
var nameAnchors = []string{
	"password", "passwd", "passphrase", "_pass", "pwd", "secret", "token", "key",
	"credential", "credentials", "authorization", "cookie",
}

// strength says how much a name alone tells.
type strength uint8

const (
	none   strength = iota
	weak            // the value must look random too: token, LICENSE_KEY
	strong          // any value but a placeholder: password, client_secret
	header          // Authorization: a scheme stands before the secret
	jar             // Cookie: pairs
)

// family is what the end of a name says about its value.
type family struct {
	suffix   string // lower case, without separators
	kind     string
	strength strength
}

// families is read in order: a longer suffix stands before its end.
var families = []family{
	{"password", "password", strong},
	{"passwd", "password", strong},
	{"passphrase", "password", strong},
	{"pwd", "password", strong},
	{"pass", "password", strong},

	{"pagetoken", "", none},
	{"nexttoken", "", none},
	{"continuationtoken", "", none},
	{"synctoken", "", none},
	{"canceltoken", "", none},
	{"cancellationtoken", "", none},
	{"accesstoken", "token", strong},
	{"refreshtoken", "token", strong},
	{"idtoken", "token", strong},
	{"authtoken", "token", strong},
	{"apitoken", "token", strong},
	{"bearertoken", "token", strong},
	{"bottoken", "token", strong},
	{"sessiontoken", "token", strong},
	{"securitytoken", "token", strong},
	{"privatetoken", "token", strong},
	{"secrettoken", "token", strong},
	{"githubtoken", "token", strong},
	{"gitlabtoken", "token", strong},
	{"hftoken", "token", strong},
	{"token", "token", weak},

	{"secret", "secret", strong},
	{"credential", "secret", weak},
	{"credentials", "secret", weak},

	{"apikey", "key", strong},
	{"secretkey", "key", strong},
	{"secretaccesskey", "key", strong},
	{"accesskey", "key", strong},
	{"privatekey", "key", strong},
	{"accountkey", "key", strong},
	{"authkey", "key", strong},
	{"encryptionkey", "key", strong},
	{"signingkey", "key", strong},
	{"masterkey", "key", strong},
	{"subscriptionkey", "key", strong},
	{"publickey", "", none},
	{"primarykey", "", none},
	{"foreignkey", "", none},
	{"partitionkey", "", none},
	{"sortkey", "", none},
	{"cachekey", "", none},
	{"idempotencykey", "", none},
	{"operationkey", "", none},

	{"proxyauthorization", "token", header},
	{"authorization", "token", header},
	{"setcookie", "cookie", jar},
	{"cookie", "cookie", jar},
}

const maxName = 64 // bytes of a name, at most

// familyOf returns the family of a name as written: its case and its
// separators - and _ do not matter, but NAME_TOKEN and NAME_KEY, in capitals,
// are names of environment variables and count for more.
func familyOf(name []byte) family {
	var buf [maxName]byte
	flat := buf[:0]
	capitals, parts := true, false
	for _, c := range name {
		if is(c, cDash) {
			parts = true
			continue
		}
		capitals = capitals && !is(c, cLower)
		flat = append(flat, lower(c))
	}
	env := capitals && parts
	for i := range families {
		f := families[i]
		if flat[len(flat)-1] != f.suffix[len(f.suffix)-1] || !bytes.HasSuffix(flat, []byte(f.suffix)) {
			continue
		}
		if f.suffix == "pass" && (!parts || !env && !bytes.HasSuffix(name, []byte("_pass"))) {
			continue
		}
		if env && f.suffix == "token" && !modelToken(flat) {
			f.strength = strong
		}
		return f
	}
	if env && bytes.HasSuffix(flat, []byte("key")) {
		return family{"key", "key", weak}
	}
	return family{}
}

// modelToken reports whether a name that ends in token speaks of the tokens
// of a language model or a parser.
func modelToken(flat []byte) bool {
	head := strings.TrimSuffix(string(flat), "token")
	for _, w := range []string{"eos", "bos", "pad", "unk", "sep", "cls", "mask", "special", "stop",
		"start", "end", "max", "min", "per", "first", "last", "input", "output", "prompt", "image"} {
		if strings.HasSuffix(head, w) {
			return true
		}
	}
	return false
}

// name checks for a name that ends with the anchor src[i:end], and its value.
func (s *scanner) name(i, end int) bool {
	hi := numberEnd(s.src, end)
	if hi >= len(s.src) || !is(s.src[hi], cAfterName) {
		return false
	}
	lo := i
	for lo > s.pos && i-lo < maxName/2 && is(s.src[lo-1], cToken) {
		lo--
	}
	lo = min(i, afterEscape(s.src, lo))
	dashes := runOf(s.src, lo, 2, cDash) - lo
	flag := dashes == 2 && s.src[lo] == '-'
	lo += dashes
	if lo >= end {
		return false
	}
	if !flag && wordFollows(s.src, hi) {
		// password S3cr3tVa1ue, as in .netrc
		if flag = randomFollows(s.src, hi); !flag {
			return false
		}
	}
	f := familyOf(s.src[lo:end])
	return f.strength != none && s.value(f, lo, hi, flag)
}

// numberEnd returns the end of the number that a name may end in: API_KEY_2.
func numberEnd(src []byte, i int) int {
	if n := i + 1; n < len(src) && is(src[i], cDash) && is(src[n], cDigit) {
		i = n
	}
	return runOf(src, i, 2, cDigit)
}

// wordFollows reports whether blanks and no separator follow at i: most names
// of secrets in prose are told by this.
func wordFollows(src []byte, i int) bool {
	j := skipSpace(src, i, false)
	return j > i && (j >= len(src) || src[j] != ':' && src[j] != '=' && src[j] != ',' && src[j] != '\\') &&
		annotated(src, i) < 0
}

// annotated returns the end of `: type =` or ` type =` at i where a string
// follows it, else -1.
func annotated(src []byte, i int) int {
	i = skipSpace(src, i, false)
	if hasAt(src, i, ":") {
		i = skipSpace(src, i+1, false)
	}
	word := runOf(src, i, 24, cAlnum|cDot)
	eq := skipSpace(src, word, false)
	if word == i || !hasAt(src, eq, "=") {
		return -1
	}
	if openingQuote(src, skipSpace(src, eq+1, false)).width == 0 {
		return -1
	}
	return eq + 1
}

// randomFollows reports whether the word at i, after one blank, looks random.
func randomFollows(src []byte, i int) bool {
	end := i + 1
	for end < len(src) && end-i < longValue && !is(src[end], cStop) {
		end++
	}
	return random(src[i+1 : end])
}
