package opinion

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// The members by which evaluators say what they found.
var (
	decisionMembers = wordSet("verdict decision outcome result status overall pass passed passes accepted approved accept approve")
	verdictMembers  = wordSet("verdict decision urteil veredicto")
	counts          = wordSet("round version id seq attempt run iteration sprint total max maximum")
	scoreMembers    = wordSet("scores criteria score_card scorecard ratings rubric grades dimensions evaluation evaluator judge grader")
	defectMembers   = wordSet("defects defect issues problems bugs blockers violations defectos mängel")
	minimumMembers  = wordSet("minimum min threshold pass_mark required min_score minimum_score")
	mildWords       = wordSet("info informational nit nitpick suggestion note trivial cosmetic optional praise none")
)

// ofData reads the object that an answer is or holds.
func ofData(text string) (o Opinion, ok bool) {
	obj := objectIn(text)
	if obj == nil {
		return o, false
	}
	o.Data = true
	minimum, hasMinimum := minimumIn(obj)
	o.read(obj, minimum, hasMinimum)
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		if inner, isObject := obj[key].(map[string]any); isObject && !o.Decided && !o.Scored {
			if m, has := minimumIn(inner); has {
				minimum, hasMinimum = m, has
			}
			o.read(inner, minimum, hasMinimum)
		}
	}
	return o, o.Decided && (o.Scored || o.Role || len(o.Defects) > 0 || hasAnyMember(obj, defectMembers)) || o.Role && (o.Scored || len(o.Defects) > 0)
}

func hasAnyMember(obj map[string]any, names map[string]bool) bool {
	for key := range obj {
		if names[strings.ToLower(key)] {
			return true
		}
	}
	return false
}

// mostObjects bounds how many places of a text are tried for an object.
const mostObjects = 8

// objectIn is the first JSON object in a text that is not empty.
func objectIn(text string) map[string]any {
	for range mostObjects {
		i := strings.IndexByte(text, '{')
		if i < 0 {
			return nil
		}
		text = text[i:]
		dec := jsontext.NewDecoder(strings.NewReader(text), jsontext.AllowDuplicateNames(true))
		if v, err := dec.ReadValue(); err == nil {
			var obj map[string]any
			if json.Unmarshal(v, &obj, jsontext.AllowDuplicateNames(true)) == nil && len(obj) > 0 {
				return obj
			}
		}
		text = text[1:]
	}
	return nil
}

func minimumIn(obj map[string]any) (float64, bool) {
	for key, v := range obj {
		if n, ok := v.(float64); ok && minimumMembers[strings.ToLower(key)] {
			return n, true
		}
	}
	return 0, false
}

// read takes what the members of one object say.
func (o *Opinion) read(obj map[string]any, minimum float64, hasMinimum bool) {
	judged := hasMinimum || hasAnyMember(obj, verdictMembers)
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		v, low := obj[key], strings.ToLower(key)
		switch s, isText := v.(string); {
		case Evaluator(low), isText && (low == "role" || low == "actor" || low == "agent" || low == "by") && Evaluator(s):
			o.Role = true
		}
		switch {
		case decisionMembers[low]:
			o.decide(v)
		case defectMembers[low]:
			o.list(v)
		case scoreMembers[low]:
			o.score(v, minimum, hasMinimum)
		default:
			if n, ok := v.(float64); ok && judged && !minimumMembers[low] && !counts[low] {
				o.criterion(key, n, minimum, hasMinimum)
			}
		}
	}
}

func (o *Opinion) decide(v any) {
	switch v := v.(type) {
	case bool:
		o.Pass, o.Decided = v, true
	case string:
		if pass, ok := decisionOf(v); ok {
			o.Pass, o.Decided = pass, true
		}
	}
}

// list takes the defects that are neither marked out of scope nor mild.
func (o *Opinion) list(v any) {
	items, _ := v.([]any)
	for _, it := range items {
		switch it := it.(type) {
		case string:
			if !noDefect.MatchString(it) && !outOfScope.MatchString(it) {
				o.Defects = append(o.Defects, it)
			}
		case map[string]any:
			if open, what := openDefect(it); open {
				o.Defects = append(o.Defects, what)
			}
		}
	}
}

// openDefect reports whether a listed defect still speaks against the work.
func openDefect(d map[string]any) (open bool, what string) {
	for _, key := range slices.Sorted(maps.Keys(d)) {
		low := strings.ToLower(key)
		switch v := d[key].(type) {
		case bool:
			if v && (outOfScope.MatchString(strings.ReplaceAll(low, "_", " ")) || low == "wontfix") || !v && (low == "in_scope" || low == "open") {
				return false, ""
			}
		case string:
			if (low == "severity" || low == "level" || low == "priority") && mildWords[strings.ToLower(v)] {
				return false, ""
			}
			if (low == "scope" || low == "status" || low == "state" || low == "resolution" || low == "note") && outOfScope.MatchString(strings.ReplaceAll(v, "_", " ")) {
				return false, ""
			}
			if what == "" && low != "severity" && low != "id" {
				what = v
			}
		}
	}
	return true, what
}

// score takes scores by name, or a list of criteria.
func (o *Opinion) score(v any, minimum float64, hasMinimum bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch s := v[key].(type) {
			case float64:
				if !minimumMembers[strings.ToLower(key)] {
					o.criterion(key, s, minimum, hasMinimum)
				}
			case map[string]any:
				o.scoreOf(key, s, minimum, hasMinimum)
			}
		}
	case []any:
		for _, it := range v {
			if c, ok := it.(map[string]any); ok {
				name := ""
				for _, key := range []string{"name", "criterion", "id", "text", "title"} {
					if s, ok := c[key].(string); ok && name == "" {
						name = s
					}
				}
				o.scoreOf(name, c, minimum, hasMinimum)
			}
		}
	}
}

func (o *Opinion) scoreOf(name string, c map[string]any, minimum float64, hasMinimum bool) {
	if m, ok := minimumIn(c); ok {
		minimum, hasMinimum = m, true
	}
	for _, key := range []string{"score", "value", "rating", "grade", "points"} {
		if n, ok := c[key].(float64); ok {
			o.criterion(name, n, minimum, hasMinimum)
			return
		}
	}
}

func (o *Opinion) criterion(name string, score, minimum float64, hasMinimum bool) {
	o.Scored = true
	o.Criteria = append(o.Criteria, name)
	if hasMinimum && score < minimum {
		o.Below = append(o.Below, name)
	}
}

// belowLine is a score with its minimum behind it: "2 of 5, minimum 4".
var belowLine = phrase.MustCompile(`(?im)^(.{0,120}?)\b(\d+(?:\.\d+)?)\s*(?:/|of|out of|von|de|sur)\s*\d+\b[^\n\d]{0,60}\b(?:min\.?|minimum|mindestens|mínimo|threshold)\b\D{0,6}(\d+(?:\.\d+)?)`)

// belowInText are the lines whose score is below the minimum that they name.
func belowInText(text string) (out []string) {
	for _, m := range belowLine.FindAllStringSubmatch(text, -1) {
		score, err := strconv.ParseFloat(m[2], 64)
		least, err2 := strconv.ParseFloat(m[3], 64)
		if err == nil && err2 == nil && score < least {
			out = append(out, strings.Trim(m[1], " -*:|#"))
		}
	}
	return out
}
