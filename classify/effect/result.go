package effect

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
)

const maxResult = 256 << 10 // bytes of a reply that are looked at

var (
	resultURL = phrase.MustCompile(`https?://[^\s"'<>)\]]+`)
	resultKey = phrase.MustCompile(`(?i)\b([a-z_]{0,24}[ _]?(?:id|number|no))["']?\s*(?:[:=#]|is)\s*["']?#?([A-Za-z0-9][A-Za-z0-9_-]{1,63})`)
)

// ResultID names the resource that a reply speaks of ("order_id=123",
// "url=https://…"), or "" when it names none. Two replies with one id are one
// resource; two ids are two.
func ResultID(result string) string {
	if len(result) > maxResult {
		result = result[:maxResult]
	}
	if v, ok := parseArgs([]byte(result)); ok {
		if id := jsonID(v, 0); id != "" {
			return id
		}
	}
	for _, raw := range resultURL.FindAllString(result, 8) {
		if u, err := url.Parse(strings.TrimRight(raw, ".,;:")); err == nil && strings.Trim(u.Path, "/") != "" {
			return "url=" + u.Scheme + "://" + u.Host + u.Path
		}
	}
	for _, m := range resultKey.FindAllStringSubmatch(result, 8) {
		if strings.ContainsAny(m[2], "0123456789") {
			return strings.ReplaceAll(strings.ToLower(strings.TrimSpace(m[1])), " ", "_") + "=" + m[2]
		}
	}
	return ""
}

// jsonID takes the best id of an object: "id", then the first *_id or number
// in key order that names no owner and no request, then a nested object's, then
// a URL.
func jsonID(v value, depth int) string {
	if depth > 6 {
		return ""
	}
	if list, ok := v.([]value); ok {
		for _, e := range list[:min(len(list), 4)] {
			if id := jsonID(e, depth+1); id != "" {
				return id
			}
		}
		return ""
	}
	if s, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
		inner, _ := parseArgs([]byte(s))
		if _, isText := inner.(string); !isText && inner != nil {
			return jsonID(inner, depth+1)
		}
	}
	m, ok := v.(map[string]value)
	if !ok {
		return ""
	}
	return objectID(m, depth)
}

func objectID(m map[string]value, depth int) string {
	keys := slices.Sorted(maps.Keys(m))
	for _, k := range keys {
		if s := scalar(m[k]); s != "" && (flatKey(k) == "id" || flatKey(k) == "uuid") {
			return "id=" + s
		}
	}
	var owner string
	for _, k := range keys {
		f := flatKey(k)
		s := scalar(m[k])
		if s == "" || operationKeys[f] || noiseKeys[f] || !(strings.HasSuffix(f, "id") || strings.HasSuffix(f, "number") || f == "arn" || f == "key") {
			continue
		}
		if owners[strings.TrimSuffix(f, "id")] {
			owner = k + "=" + s
			continue
		}
		return k + "=" + s
	}
	for _, k := range keys {
		if _, ok := m[k].(string); ok && flatKey(k) != "text" {
			continue
		}
		if id := jsonID(m[k], depth+1); id != "" {
			return id
		}
	}
	for _, k := range []string{"html_url", "url", "web_url", "link", "self", "location"} {
		if s := scalar(m[k]); s != "" {
			return "url=" + s
		}
	}
	if s, ok := m["text"].(string); ok {
		if id := ResultID(s); id != "" {
			return id
		}
	}
	return owner
}

// OtherResult reports that two replies, objects both, name different things: a
// member of one name holds an id in each, and the ids differ.
func OtherResult(a, b string) bool {
	x, y := replyObject(a), replyObject(b)
	for k, v := range x {
		f, s, t := flatKey(k), scalar(v), scalar(y[k])
		if s != t && !operationKeys[f] && !noiseKeys[f] && idShaped.MatchString(s) && idShaped.MatchString(t) {
			return true
		}
	}
	return false
}

// idShaped matches what services give as ids: letters and digits in one word.
var idShaped = phrase.MustCompile(`^[A-Za-z]+[-_#]?[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*$`)

func replyObject(reply string) map[string]value {
	v, _ := parseArgs([]byte(reply[:min(len(reply), maxResult)]))
	m, _ := v.(map[string]value)
	return m
}
