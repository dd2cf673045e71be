package effect

import (
	"strings"
)

// curlValued are curl's short flags with a value; the others are switches.
const curlValued = "XHdFTuAbceKmoQrtUwxyYzCDEPh"

// curl reads curl's command line. Every URL on it is one request.
func curl(c command) []Effect {
	return parseCurl(c.raw, c.stdin).effects()
}

// curlArgs is the parsed command line of curl.
type curlArgs struct {
	method    string
	urls      []string
	data      []string
	get, head bool
	upload    bool
	headers   map[string]string
	socket    bool
}

var curlLong = map[string]byte{"request": 'X', "header": 'H', "data": 'd', "data-raw": 'd', "data-binary": 'd', "data-ascii": 'd', "data-urlencode": 'd',
	"json": '{', "form": 'F', "form-string": 'F', "upload-file": 'T', "url": 'U', "get": 'G', "head": 'I', "unix-socket": '@'}

var curlLongValued = wordSet("user user-agent cookie cookie-jar output max-time connect-timeout retry retry-delay retry-max-time write-out proxy cacert cert key referer range " +
	"resolve connect-to interface config dump-header aws-sigv4 oauth2-bearer limit-rate max-redirs ciphers tls-max")

func parseCurl(argv []string, stdin string) curlArgs {
	c := curlArgs{headers: map[string]string{}}
	for i := 0; i < len(argv); i++ {
		a := argv[i]
		next := func() string {
			if i+1 < len(argv) {
				i++
				return argv[i]
			}
			return ""
		}
		switch {
		case a == "--next" || a == "-:":
		case strings.HasPrefix(a, "--"):
			name := a[2:]
			if k, ok := curlLong[name]; ok {
				c.take(k, next, stdin)
			} else if curlLongValued[name] {
				next()
			}
		case len(a) > 1 && a[0] == '-':
			c.short(a[1:], next, stdin)
		default:
			c.urls = append(c.urls, a)
		}
	}
	return c
}

// short reads a cluster such as -sXPOST.
func (c *curlArgs) short(cluster string, next func() string, stdin string) {
	for j := 0; j < len(cluster); j++ {
		k := cluster[j]
		if strings.IndexByte(curlValued, k) < 0 {
			c.take(k, func() string { return "" }, stdin)
			continue
		}
		value := next
		if rest := cluster[j+1:]; rest != "" {
			value = func() string { return rest }
		}
		if strings.IndexByte("XHdFT", k) >= 0 {
			c.take(k, value, stdin)
		} else {
			value()
		}
		return
	}
}

func (c *curlArgs) take(k byte, next func() string, stdin string) {
	switch k {
	case 'X':
		c.method = next()
	case 'H':
		if name, v, ok := strings.Cut(next(), ":"); ok {
			c.headers[strings.TrimSpace(name)] = strings.TrimSpace(v)
		}
	case 'd', '{', 'F':
		d := next()
		if d == "@-" && stdin != "" {
			d = stdin
		}
		c.data = append(c.data, d)
	case 'T':
		c.upload = true
		c.data = append(c.data, "@"+next())
	case 'U':
		c.urls = append(c.urls, next())
	case 'G':
		c.get = true
	case 'I':
		c.head = true
	case '@':
		next()
		c.socket = true
	}
}

func (c curlArgs) effects() []Effect {
	r := request{method: c.method, headers: c.headers}
	switch {
	case r.method != "":
	case c.head:
		r.method = "HEAD"
	case c.get:
		r.method = "GET"
	case c.upload:
		r.method = "PUT"
	case len(c.data) > 0:
		r.method = "POST"
	}
	if len(c.data) > 0 && !c.get {
		r.body = bodyOf(strings.Join(c.data, "&"))
	}
	var all []Effect
	for _, u := range c.urls {
		r.url = u
		e := httpEffect(r)
		e.Why = "curl -X " + methodOf(r.method)
		if c.socket {
			e = e.localise("loopback")
		}
		all = append(all, e)
	}
	return all
}

func methodOf(m string) string {
	if m == "" {
		return "GET"
	}
	return strings.ToUpper(m)
}

// bodyOf parses a JSON body and keeps any other as text.
func bodyOf(s string) value {
	if v, ok := parseArgs([]byte(s)); ok {
		return v
	}
	return s
}

// wget posts with --post-data, --post-file or --method.
func wget(c command) []Effect {
	r := request{method: c.flag("method"), headers: map[string]string{}}
	if body := c.flag("post-data", "body-data", "post-file", "body-file"); body != "" {
		r.body = bodyOf(body)
		if r.method == "" {
			r.method = "POST"
		}
	}
	for _, h := range c.flags["header"] {
		if name, v, ok := strings.Cut(h, ":"); ok {
			r.headers[strings.TrimSpace(name)] = strings.TrimSpace(v)
		}
	}
	var all []Effect
	for _, u := range c.words {
		r.url = u
		e := httpEffect(r)
		e.Why = "wget " + methodOf(r.method)
		all = append(all, e)
	}
	return all
}

// httpie reads "http POST url name=value".
func httpie(c command) []Effect {
	words := c.words
	r := request{headers: map[string]string{}}
	if len(words) > 1 && words[0] == strings.ToUpper(words[0]) && isWord(words[0][0]) {
		r.method, words = words[0], words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	r.url = words[0]
	if strings.HasPrefix(r.url, ":") {
		r.url = "localhost" + r.url
	}
	body := map[string]value{}
	for _, w := range words[1:] {
		if name, v, ok := strings.Cut(w, ":="); ok {
			body[name] = bodyOf(v)
		} else if name, v, ok := strings.Cut(w, "=="); ok {
			r.url += "?" + name + "=" + v
		} else if name, v, ok := strings.Cut(w, "="); ok {
			body[name] = v
		} else if name, v, ok := strings.Cut(w, ":"); ok {
			r.headers[name] = v
		}
	}
	if c.stdin != "" && len(body) == 0 {
		r.body = bodyOf(c.stdin)
	} else if len(body) > 0 {
		r.body = body
	}
	if r.method == "" && r.body != nil {
		r.method = "POST"
	}
	e := httpEffect(r)
	e.Why = c.name + " " + methodOf(r.method)
	return one(e)
}
