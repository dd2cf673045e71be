package criteria

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// The members of contracts, lower case.
var (
	listMembers  = []string{"criteria", "acceptance_criteria", "acceptancecriteria", "acceptance", "done_when", "definition_of_done", "done", "kriterien", "criterios", "critères"}
	nameMembers  = []string{"text", "name", "criterion", "description", "title", "id"}
	checkMembers = []string{"check", "checks", "test", "tests", "verify", "verified_by", "verification", "command", "cmd", "run", "proof", "argv"}
	byMembers    = []string{"written_by", "author", "by", "role", "owner", "created_by"}
	agreeMembers = []string{"agreed_by", "agreed", "signed_by", "approved_by", "signatures", "consent"}
)

// readData reads JSON, or the YAML that such documents are written in.
func readData(text string, c *Contract) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		var obj map[string]any
		if json.Unmarshal([]byte(text), &obj, jsontext.AllowDuplicateNames(true)) != nil {
			return false
		}
		return readObject(obj, c)
	}
	return readYAML(text, c)
}

func readObject(obj map[string]any, c *Contract) bool {
	low := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(obj)) {
		low[strings.ToLower(key)] = obj[key]
	}
	c.By = firstText(low, byMembers)
	for _, key := range agreeMembers {
		if list, ok := low[key].([]any); ok {
			c.Agreed = max(c.Agreed, len(list))
		}
	}
	for _, key := range listMembers {
		list, ok := low[key].([]any)
		if !ok {
			continue
		}
		for _, it := range list[:min(len(list), mostCriteria)] {
			switch it := it.(type) {
			case string:
				c.Criteria = append(c.Criteria, Criterion{Name: it})
			case map[string]any:
				if _, scored := it["score"]; scored {
					return false // a verdict, not a contract
				}
				c.Criteria = append(c.Criteria, Criterion{Name: firstText(it, nameMembers), Check: firstText(it, checkMembers)})
			}
		}
		return len(c.Criteria) > 0
	}
	return false
}

// firstText is the first member that says something: a string, or a list.
func firstText(obj map[string]any, members []string) string {
	for _, key := range members {
		switch v := obj[key].(type) {
		case string:
			if v != "" {
				return v
			}
		case []any:
			if len(v) > 0 {
				if s, ok := v[0].(string); ok {
					return s
				}
				return key
			}
		case map[string]any:
			if len(v) > 0 {
				return key
			}
		}
	}
	return ""
}

// pair is a line of YAML: indentation, a list mark, a key and its value.
var pair = phrase.MustCompile(`^(\s*)(-\s+)?([\p{L}_][\p{L}\d_ ]*?)\s*:(?:\s+(.*))?$`)

// readYAML reads the list under a key of criteria.
func readYAML(text string, c *Contract) bool {
	in, indent := false, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := pair.FindStringSubmatch(line)
		if m != nil && m[2] == "" && (!in || len(m[1]) <= indent) {
			key := strings.ToLower(m[3])
			in, indent = slices.Contains(listMembers, key) && value(m[4]) == "", len(m[1])
			switch {
			case slices.Contains(byMembers, key):
				c.By = value(m[4])
			case slices.Contains(agreeMembers, key):
				c.Agreed = strings.Count(m[4], ",") + min(1, len(m[4]))
			}
			continue
		}
		if in && len(c.Criteria) < mostCriteria {
			readYAMLItem(line, m, c)
		}
	}
	return len(c.Criteria) > 0
}

func readYAMLItem(line string, m []string, c *Contract) {
	rest, starts := strings.CutPrefix(strings.TrimSpace(line), "- ")
	if starts {
		c.Criteria = append(c.Criteria, Criterion{})
	}
	n := len(c.Criteria)
	switch {
	case n == 0:
	case m != nil && slices.Contains(checkMembers, strings.ToLower(m[3])):
		c.Criteria[n-1].Check = value(m[4])
	case m != nil && c.Criteria[n-1].Name == "":
		c.Criteria[n-1].Name = value(m[4])
	case m == nil && starts:
		c.Criteria[n-1].Name = rest
	}
}

func value(s string) string { return strings.Trim(strings.TrimSpace(s), `"'`) }
