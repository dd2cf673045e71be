package effect

import (
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// endpointKeys hold an address in a tool's arguments.
var endpointKeys = wordSet("url uri endpoint endpointurl host hostname baseurl server serverurl apiurl dsn connectionstring databaseurl dburl webhookurl remote socket")

// localTarget says why an address is workspace-local, or "".
// known is false when it holds an unexpanded variable and cannot be judged.
func localTarget(address string) (ground string, known bool) {
	host := hostOf(address)
	switch {
	case strings.ContainsAny(host, "$`{<"):
		return "", false
	case strings.HasPrefix(address, "file:"), strings.HasPrefix(address, "/"), strings.HasPrefix(address, "sqlite:"),
		strings.HasPrefix(address, "./"), strings.HasPrefix(address, "../"):
		return "file", true
	case strings.HasPrefix(address, "unix:"):
		return "loopback", true
	}
	return localHost(host), true
}

// localHost judges a host name or address without a port.
func localHost(host string) string {
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return localIP(ip.Unmap())
	}
	switch {
	case host == "":
		return ""
	case host == "localhost", strings.HasSuffix(host, ".localhost"):
		return "loopback"
	case host == "host.docker.internal", host == "gateway.docker.internal", strings.HasSuffix(host, ".svc.cluster.local"):
		return "container"
	case strings.HasSuffix(host, ".test"), testDouble(host):
		return "test double"
	case strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".internal"):
		return "private address"
	case !strings.Contains(host, "."):
		return "container" // a bare name resolves only inside a private network
	}
	return ""
}

func localIP(ip netip.Addr) string {
	switch {
	case ip.IsLoopback(), ip.IsUnspecified():
		return "loopback"
	case ip.IsPrivate(), ip.IsLinkLocalUnicast():
		return "private address"
	}
	return ""
}

// testDouble reports a host label that names a stand-in for a service.
func testDouble(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		for part := range strings.SplitSeq(label, "-") {
			switch part {
			case "mock", "mocks", "fake", "stub", "wiremock", "localstack", "mockserver":
				return true
			}
		}
	}
	return false
}

// hostOf takes the host from a URL, host:port, user@host:path or DSN.
func hostOf(address string) string {
	s := strings.TrimSpace(address)
	if i := strings.Index(s, "://"); i >= 0 {
		s = s[i+3:]
	}
	s, _, _ = strings.Cut(s, "/")
	s, _, _ = strings.Cut(s, "?")
	if i := strings.LastIndexByte(s, '@'); i >= 0 {
		s = s[i+1:]
	}
	if strings.HasPrefix(s, "[") {
		host, _, _ := strings.Cut(s[1:], "]")
		return host
	}
	if strings.Count(s, ":") > 1 {
		if _, err := netip.ParseAddr(s); err == nil {
			return s
		}
	}
	host, _, _ := strings.Cut(s, ":")
	return host
}

// splitURL gives lower-case host, path and canonical remainder of a URL. Text
// that is no URL gives its host by eye and an empty path.
func splitURL(raw string) (host, path, query string) {
	s := strings.TrimSpace(raw)
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil {
		return strings.ToLower(hostOf(raw)), "", ""
	}
	return strings.ToLower(u.Host), strings.TrimSuffix(u.Path, "/"), u.RawQuery
}

// addressGround looks for an address in the arguments. found is false when
// none is there.
func addressGround(m map[string]value) (ground string, known, found bool) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		s, ok := m[k].(string)
		if !ok || s == "" || !endpointKeys[flatKey(k)] {
			continue
		}
		g, kn := localTarget(s)
		if !found {
			ground, known, found = g, kn, true
		} else if g == "" { // one address outside makes the call external
			ground, known = "", known && kn
		}
	}
	return ground, known, found
}
