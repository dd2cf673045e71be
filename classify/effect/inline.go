package effect

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/phrase"
)

// request calls of the usual HTTP libraries with a literal address.
var (
	inlineCall  = phrase.MustCompile("(?:requests|httpx|session|client|axios|ky|got)\\.(get|post|put|patch|delete)\\(\\s*f?['\"`]([^'\"`\\s]+)['\"`]")
	inlineFetch = phrase.MustCompile("fetch\\(\\s*['\"`]([^'\"`\\s]+)['\"`]\\s*,\\s*\\{[^}]{0,200}?method:\\s*['\"](\\w+)")
)

// inline reads the requests in code that is given on the command line or on
// standard input. The whole code names what is sent.
func inline(c command) []Effect {
	code := c.flag("c", "e", "eval")
	if code == "" {
		code = c.stdin
	}
	var all []Effect
	add := func(method, url string) {
		r := request{method: method, url: url, headers: map[string]string{}}
		if method = strings.ToUpper(method); method != "GET" {
			r.body = strings.Join(strings.Fields(code), " ")
		}
		e := httpEffect(r)
		e.Why = c.name + " code " + method
		all = append(all, e)
	}
	for _, m := range inlineCall.FindAllStringSubmatch(code, 16) {
		add(m[1], m[2])
	}
	for _, m := range inlineFetch.FindAllStringSubmatch(code, 16) {
		add(m[2], m[1])
	}
	return all
}
