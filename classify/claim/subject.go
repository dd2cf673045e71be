package claim

import (
	"sort"
	"strings"
)

// subjects fills what a claim speaks of; the file kinds give one claim a file.
func (s *sentence) subjects(c Claim, i, end int) []Claim {
	switch c.Kind {
	case FileWritten, FileDeleted:
		files := s.paths
		if len(files) == 0 {
			return []Claim{c}
		}
		out := make([]Claim, 0, len(files))
		for _, f := range files {
			c.Subject = f
			out = append(out, c)
		}
		return out
	case TestsPass, TestsRun:
		c.Number, c.Total = s.counts(i, end)
		c.Subject = s.suite(i)
	case EffectDone, Sent:
		c.Subject = s.thing()
	case PROpened, Deployed, ServiceRunning, PageChecked:
		if c.Subject = s.address(); c.Subject == "" {
			c.Subject = s.quoted()
		}
	default:
		if c.Subject = s.quoted(); c.Subject == "" {
			if files := s.paths; len(files) > 0 {
				c.Subject = files[0]
			}
		}
	}
	return []Claim{c}
}

const maxFiles = 20

// files lists the paths of a sentence and of the code block that it
// introduces.
func (s *sentence) files() []string {
	var out []string
	add := func(raw string) {
		raw = strings.Trim(raw, "`'\"(),")
		if i := strings.LastIndexByte(raw, ':'); i > 0 {
			if _, ok := number(raw[i+1:]); ok {
				raw = raw[:i]
			}
		}
		if isPath(raw) && len(out) < maxFiles {
			out = append(out, raw)
		}
	}
	for _, t := range s.tokens {
		if t.raw != "" && !strings.Contains(t.raw, " ") {
			add(t.raw)
		}
	}
	for _, line := range s.fence {
		for w := range strings.FieldsSeq(strings.TrimLeft(line, "│├└─ |`-+*")) {
			if strings.HasPrefix(w, "#") || strings.HasPrefix(w, "//") {
				break
			}
			add(w)
		}
	}
	return out
}

// quoted is the first inline code of a sentence.
func (s *sentence) quoted() string {
	for _, t := range s.tokens {
		if t.code {
			return t.raw
		}
	}
	return ""
}

// suite is the test command, the adjective before "tests" or a test file.
func (s *sentence) suite(i int) string {
	for _, t := range s.tokens {
		if t.word == "`test" {
			return t.raw
		}
	}
	for j := i; j < len(s.tokens) && j < i+4; j++ {
		if classes["<tests>"][s.tokens[j].word] && j > 0 {
			switch w := s.tokens[j-1].word; w {
			case "unit", "integration", "e2e", "end-to-end", "regression", "smoke", "acceptance", "functional", "ui":
				return w
			}
		}
	}
	for _, f := range s.paths {
		if strings.Contains(f, "test") || strings.Contains(f, "spec") {
			return f
		}
	}
	return ""
}

// thing is the object of an outside effect and its id, if one follows.
func (s *sentence) thing() string {
	for j, t := range s.tokens {
		if !classes["<thing>"][t.word] && t.word != "email" && t.word != "message" && t.word != "notification" {
			continue
		}
		noun := t.word
		if !strings.HasSuffix(noun, "ss") {
			noun = strings.TrimSuffix(noun, "s")
		}
		for k := j + 1; k < len(s.tokens) && k < j+6; k++ {
			if raw := s.tokens[k].raw; identifier(raw) {
				return noun + " " + raw
			}
		}
		return noun
	}
	return s.quoted()
}

// identifier: letters and digits mixed, or four digits and more.
func identifier(w string) bool {
	if len(w) < 4 || len(w) > 40 {
		return false
	}
	digits, upper := 0, 0
	for i := range len(w) {
		switch c := w[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c == '-' || c == '_':
		case c >= 'a' && c <= 'z':
		default:
			return false
		}
	}
	return digits >= 4 || digits > 0 && upper > 1
}

// address is a URL, host:port, "port 3000" or "#12".
func (s *sentence) address() string {
	for j, t := range s.tokens {
		switch {
		case strings.Contains(t.raw, "://"), len(t.word) > 1 && t.word[0] == '#':
			return t.raw
		case t.word == "port" && j+1 < len(s.tokens):
			if _, ok := number(s.tokens[j+1].word); ok {
				return "port " + s.tokens[j+1].word
			}
		case strings.HasPrefix(t.word, "localhost:"), strings.HasPrefix(t.word, "127.0.0.1:"):
			return t.raw
		}
	}
	return ""
}

// listed gives "Files created:" the paths of the list that follows it.
func listed(all []sentence, claims []Claim) []Claim {
	for n := 0; n < len(claims) && len(claims) < maxItems; n++ {
		c := claims[n]
		if c.Subject != "" || c.Kind != FileWritten && c.Kind != FileDeleted {
			continue
		}
		i := sort.Search(len(all), func(i int) bool { return all[i].start >= c.Start })
		if i == len(all) || !all[i].colon && !all[i].heading {
			continue
		}
		for j := i + 1; j < len(all) && j <= i+maxFiles && (all[j].item && all[i].colon || j == i+1 && len(all[j].tokens) <= 2); j++ {
			if files := all[j].paths; len(files) > 0 {
				claims = append(claims, Claim{c.Kind, files[0], -1, -1, c.Negated, all[j].start, all[j].end})
			}
		}
	}
	return claims
}
