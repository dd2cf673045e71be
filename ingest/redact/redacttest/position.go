package redacttest

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// Position writes a text into one line of a trace: valid JSON, but for those
// that are Broken.
type Position struct {
	Name   string
	Broken bool
	Write  func(text string) string
}

// Quote is text as a JSON string.
func Quote(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// plain is Quote without Go's escapes of <, > and &.
func plain(text string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(Quote(text))
}

// Positions lists where a text may stand.
func Positions() []Position {
	event := func(rest string) string {
		return `{"faultline":"event/v1","run_id":"run-1","kind":"message","actor":"user",` + rest + `}`
	}
	return []Position{
		{"message", false, func(s string) string { return event(`"text":` + plain(s)) }},
		{"message, escaped for HTML", false, func(s string) string { return event(`"text":` + Quote(s)) }},
		{"middle of a sentence", false, func(s string) string { return event(`"text":` + plain("see ("+s+"), then go on")) }},
		{"quoted in a sentence", false, func(s string) string { return event(`"text":` + plain("it says `"+s+"` there")) }},
		{"tool arguments", false, func(s string) string { return event(`"arguments":{"command":` + plain(s) + `,"timeout":5}`) }},
		{"arguments as a string", false, func(s string) string { return event(`"arguments":` + plain(`{"command":`+plain(s)+`}`)) }},
		{"arguments as a string, twice", false, func(s string) string {
			return event(`"arguments":` + plain(`{"input":`+plain(`{"command":`+plain(s)+`}`)+`}`))
		}},
		{"tool output with line numbers", false, func(s string) string {
			return event(`"content":[{"type":"text","text":` + plain("     1→a\n     2→"+s+"\n     3→b\n") + `}]`)
		}},
		{"diff", false, func(s string) string { return event(`"text":` + plain("@@ -1 +1 @@\n-x\n+"+s+"\n y\n")) }},
		{"OTLP attribute", false, func(s string) string {
			return `{"attributes":[{"key":"gen_ai.prompt.0.content","value":{"stringValue":` + plain(s) + `}}]}`
		}},
		{"path glued behind", false, func(s string) string { return event(`"text":` + plain("see "+s+"/v1/users and go on")) }},
		{"word glued behind", false, func(s string) string { return event(`"text":` + plain("see "+s+"-v1.2 and go on")) }},
		{"brackets glued behind", false, func(s string) string { return event(`"text":` + plain("see ["+s+"]) and go on")) }},
		{"dots glued behind", false, func(s string) string { return event(`"text":` + plain("see "+s+"....")) }},
		{"ellipsis glued behind", false, func(s string) string { return event(`"text":` + plain("see ("+s+"…) and go on")) }},
		{"base64", false, func(s string) string { return event(`"content":{"encoding":"base64","text":` + Quote(encode(s)) + `}`) }},
		{"base64 behind a path", false, func(s string) string {
			return event(`"text":"GET /v1/` + base64.RawURLEncoding.EncodeToString([]byte("x "+s)) + ` failed"`)
		}},
		{"base64 in lines", false, func(s string) string { return event(`"text":` + plain(inLines(encode(pad(200)+s+", "+pad(50)), 60))) }},
		{"base64, escaped", false, func(s string) string {
			return event(`"text":"` + strings.NewReplacer("/", `\/`, "+", `\u002B`).Replace(encode("ü?>"+s+"ü?>ü?>")) + `"`)
		}},
		{"base64 of base64", false, func(s string) string { return event(`"text":"` + encode(encode("see "+s)+" it is") + `"`) }},
		{"bytes of OTLP", false, func(s string) string {
			return `{"traceId":"","attributes":[{"key":"bytes","value":{"bytesValue":"` + encode(s) + `"}}]}`
		}},
		{"bytes of OTLP that are no text", false, func(s string) string {
			return `{"attributes":[{"key":"bytes","value":{"bytesValue":"` + encode("\x0a\x80\x00"+s+" \xff\x00") + `"}}]}`
		}},
		{"list", false, func(s string) string { return `["a",` + plain(s) + `,1]` }},
		{"name of a member", false, func(s string) string { return `{` + plain(s) + `:1}` }},
		{"error", false, func(s string) string {
			return `{"error":{"message":` + plain("dial: "+s+"\nrefused") + `,"code":500}}`
		}},
		{"64 KB before", false, func(s string) string { return event(`"text":` + plain(pad(1<<16)+s)) }},
		{"64 KB before, less half", false, func(s string) string { return event(`"text":` + plain(pad(1<<16-100-len(s)/2)+s+pad(100))) }},
		{"1 MB before", false, func(s string) string { return event(`"text":` + plain(pad(1<<20)+s)) }},
		{"line that breaks off", true, func(s string) string {
			return `{"type":"user","message":{"text":` + plain("see " + s)[:len(plain("see "+s))-1]
		}},
		{"no JSON, whole", true, oneLine},
		{"no JSON, middle", true, func(s string) string { return "panic: " + oneLine(s) + " (exit 1)" }},
		{"bytes that are no text", true, func(s string) string { return "\xff\xfe " + oneLine(s) + " \xff" }},
	}
}

func encode(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// inLines breaks a text into lines of n bytes.
func inLines(s string, n int) string {
	var b strings.Builder
	for ; len(s) > n; s = s[n:] {
		b.WriteString(s[:n] + "\n")
	}
	return b.String() + s
}

// oneLine keeps a text of several lines in one, as a log does.
func oneLine(s string) string { return strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(s) }

// pad is text of n bytes that ends in a blank.
func pad(n int) string {
	const words = "the tool returned 17 lines of output and nothing else happened here "
	return strings.Repeat(words, n/len(words)+1)[len(words)-n%len(words):][:n-1] + " "
}
