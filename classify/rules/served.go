package rules

import (
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
)

// onHost reports that a command runs on another machine, as opposed to a
// container of this one.
func onHost(c *classify.Check, cmd *shell.Command) bool {
	return cmd.Host != "" && slices.ContainsFunc(cmd.Wrappers, func(w string) bool { return w == "ssh" || strings.HasPrefix(w, "ssh ") })
}

// imageOf is the image of a container that a command is run in by
// `docker run` without any mount, "" for none.
func imageOf(cmd *shell.Command) string {
	i := slices.IndexFunc(cmd.Wrappers, func(w string) bool { return w == "docker run" || w == "podman run" || w == "nerdctl run" })
	if i < 0 || cmd.Host == "" {
		return ""
	}
	for _, w := range cmd.Raw {
		if w == "-v" || w == "--volume" || w == "--mount" || w == "--volumes-from" || strings.HasPrefix(w, "--volume=") || strings.HasPrefix(w, "--mount=") || strings.HasPrefix(w, "-v=") || len(w) > 2 && strings.HasPrefix(w, "-v") {
			return ""
		}
	}
	return cmd.Host
}

// lastBuilt is the last action before a point that built an image by name.
func lastBuilt(v *classify.View, image string, before int) *classify.Action {
	var last *classify.Action
	for _, a := range imageBuilds(v)[tagged(image)] {
		if a.Pos >= before {
			break
		}
		last = a
	}
	return last
}

// tagged writes out the tag that is meant when none is named.
func tagged(image string) string {
	if !strings.Contains(image[strings.LastIndexByte(image, '/')+1:], ":") {
		return image + ":latest"
	}
	return image
}

func imageBuilds(v *classify.View) map[string][]*classify.Action {
	return classify.Once(&v.Facts, "image builds", func() map[string][]*classify.Action {
		out := map[string][]*classify.Action{}
		for _, a := range v.Actions {
			for _, c := range a.Commands {
				if !a.Ran() || len(c.Argv) < 3 || !slices.Contains([]string{"docker", "podman", "nerdctl", "buildah"}, path.Base(c.Argv[0])) || !slices.ContainsFunc(c.Argv[1:3], func(w string) bool { return w == "build" || w == "buildx" || w == "bud" }) {
					continue
				}
				for i, w := range c.Argv {
					name, ok := strings.CutPrefix(w, "--tag=")
					if (w == "-t" || w == "--tag") && i+1 < len(c.Argv) {
						name, ok = c.Argv[i+1], true
					}
					if ok {
						out[tagged(name)] = append(out[tagged(name)], a)
					}
				}
			}
		}
		return out
	})
}

// serverNames are the variables and flags by which a test is told the address
// of what it is to test.
var serverNames = phrase.MustCompile(`(?i)^-{0,2}(\w+_)?(base|target|host|server|site|app|e2e|sut|web|frontend)?_?-?(url|uri|base|host|target|address|origin)$`)

var address = phrase.MustCompile(`https?://[^\s"',;)]+`)

// serverOf is the address under test that a command names, "" for none.
func serverOf(c *classify.Check, cmd *shell.Command) string {
	words := slices.Concat(cmd.Env, cmd.Argv)
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !ok && i+1 < len(words) {
			value = words[i+1]
		}
		name = name[strings.LastIndexAny(name, ",.")+1:]
		if found := address.FindString(value); found != "" && strings.HasPrefix(value, found[:4]) && serverNames.MatchString(name) {
			return found
		}
	}
	return ""
}

// public reports an address that is neither this machine nor a private one.
func public(server string) bool {
	u, err := url.Parse(server)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		return !ip.IsLoopback() && !ip.IsPrivate() && !ip.IsUnspecified() && !ip.IsLinkLocalUnicast()
	}
	for _, own := range []string{"localhost", ".localhost", ".local", ".test", ".internal", ".lan", "host.docker.internal"} {
		if host == own || strings.HasSuffix(host, own) {
			return false
		}
	}
	return strings.Contains(host, ".")
}

// staleServed is the start of a server at a local address that serves a build,
// where the build was made before an edit and not after it, else nil.
func staleServed(v *classify.View, server string, edit, check int) *classify.Action {
	u, err := url.Parse(server)
	if err != nil || u.Port() == "" {
		return nil
	}
	builds := builtAt(v)
	if !builds.Any(-1, edit) || builds.Any(edit, check+1) {
		return nil
	}
	var last *classify.Action
	for _, s := range servers(v)[u.Port()] {
		if s.Pos >= check {
			break
		}
		last = s.Action
		if !s.builds {
			last = nil
		}
	}
	return last
}

// builtAt are the places at which something was built.
func builtAt(v *classify.View) classify.Positions {
	return classify.Once(&v.Facts, "built at", func() classify.Positions {
		return v.Places(func(a *classify.Action) bool {
			return slices.ContainsFunc(a.Commands, func(c shell.Command) bool {
				rc, ok := runner.Recognize(c.Argv)
				return ok && rc.Kind == runner.Build || slices.ContainsFunc(c.Argv, func(w string) bool { return w == "build" || strings.HasPrefix(w, "build:") || w == "bundle" })
			})
		})
	})
}

// started is the start of a server; builds is set when it serves what a build
// made and does not follow the sources.
type started struct {
	*classify.Action
	builds bool
}

var (
	ports       = phrase.MustCompile(`(?:^|[^\d.])(\d{2,5})$`)
	outputDirs  = phrase.MustCompile(`(^|/)(dist|build|out|public|_site|www|\.next|\.output|target)(/|$)`)
	staticWords = []string{"serve", "http-server", "http.server", "preview", "start", "static-server", "file-server", "sirv", "live"}
)

// servers are the starts of servers by port.
func servers(v *classify.View) map[string][]started {
	return classify.Once(&v.Facts, "servers", func() map[string][]started {
		out := map[string][]started{}
		for _, a := range v.Actions {
			for i := range a.Commands {
				c := &a.Commands[i]
				if !a.Ran() || len(c.Argv) == 0 || c.Host != "" || !servesBy(c) {
					continue
				}
				for _, w := range slices.Concat(c.Env, c.Argv[1:]) {
					if m := ports.FindStringSubmatch(w); m != nil {
						out[m[1]] = append(out[m[1]], started{a, servesBuild(c)})
					}
				}
			}
		}
		return out
	})
}

// servesBy reports that a command looks like the start of a server.
func servesBy(c *shell.Command) bool {
	return c.Background || slices.ContainsFunc(c.Argv, func(w string) bool { return slices.Contains(staticWords, path.Base(w)) || w == "dev" })
}

// servesBuild reports that a command serves the output of a build.
func servesBuild(c *shell.Command) bool {
	words := strings.Join(c.Argv, " ")
	if strings.Contains(words, "watch") || strings.Contains(words, "reload") || strings.Contains(words, " dev") {
		return false
	}
	if slices.Contains(c.Argv, "preview") {
		return true
	}
	if slices.Contains(c.Argv, "next") && slices.Contains(c.Argv, "start") {
		return true
	}
	return slices.ContainsFunc(c.Argv[1:], func(w string) bool { return outputDirs.MatchString(w) }) &&
		slices.ContainsFunc(c.Argv, func(w string) bool { return slices.Contains(staticWords, path.Base(w)) })
}
