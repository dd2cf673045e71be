package effect

import (
	"path"
	"slices"
	"strings"
)

// command is an argument vector cut into words and flags.
type command struct {
	name  string
	words []string            // positional arguments in order
	flags map[string][]string // without dashes; a switch holds ""
	raw   []string            // everything after the name, uncut
	stdin string
}

// switches take no value, whatever follows.
var switches = wordSet("f force y yes q quiet v verbose debug dry-run wait watch w draft fill web no-cli-pager no-verify all A tags follow-tags " +
	"recursive r delete-branch d squash merge rebase s i k L silent S fail G get compressed auto prod production public private no-sign-request " +
	"location insecure include I head json-output no-wait atomic install create-namespace u set-upstream mirror prune help auto-approve async only-show-errors n " +
	"delete D force-with-lease porcelain thin signed")

// shortSwitches differ by program: these flags take a value for the named one.
var valued = map[string]map[string]bool{
	"kubectl": wordSet("n f l o c p k"), "helm": wordSet("n f"), "gh": wordSet("R t b B H F f l a m r n d s q w L"), "glab": wordSet("R t b d l a s"),
	"psql": wordSet("c d h p U f v"), "mysql": wordSet("e h P u D"), "mariadb": wordSet("e h P u D"), "redis-cli": wordSet("h p n u a"), "mail": wordSet("s r c b a"), "mailx": wordSet("s r c b a"),
	"mutt": wordSet("s c b a i"), "aws": wordSet("query output region profile"), "az": wordSet("g n l o s"), "ssh": wordSet("p i l o F J L R D b c E W w m O Q S"), "scp": wordSet("P i o F c J l S"),
	"rsync": wordSet("e f"), "docker": wordSet("f t n p e w u v"), "podman": wordSet("f t n p e w u v"), "stripe": wordSet("d e"), "mongosh": wordSet("f"), "twine": wordSet("r u p"),
}

// parseCommand strips wrappers and assignments and cuts flags from words.
func parseCommand(argv []string, stdin string) (command, bool) {
	argv = unwrap(argv)
	if len(argv) == 0 {
		return command{}, false
	}
	c := command{name: path.Base(argv[0]), flags: map[string][]string{}, raw: argv[1:], stdin: stdin}
	takes := valued[c.name]
	for i := 1; i < len(argv); i++ {
		a := argv[i]
		if a == "--" {
			c.words = append(c.words, argv[i+1:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			c.words = append(c.words, a)
			continue
		}
		name, val, has := strings.Cut(strings.TrimLeft(a, "-"), "=")
		short := !strings.HasPrefix(a, "--")
		if last := len(name) - 1; short && !has && last > 0 && !takes[name[:1]] && takes[name[last:]] { // psql -tc SQL
			name = name[last:]
		}
		switch {
		case has:
		case short && len(name) > 1 && takes[name[:1]]: // -nprod
			name, val = name[:1], name[1:]
		case takes[name] || !switches[name] && !strings.HasPrefix(name, "no-") && !(short && len(name) > 1):
			if i+1 < len(argv) && (len(argv[i+1]) < 2 || argv[i+1][0] != '-') {
				i++
				val = argv[i]
			}
		}
		c.flags[name] = append(c.flags[name], val)
	}
	return c, true
}

// wrappers run the command that follows; the number is how many words of
// their own come first.
var wrappers = map[string]int{"sudo": 0, "doas": 0, "env": 0, "nohup": 0, "time": 0, "nice": 0, "command": 0, "exec": 0, "stdbuf": 0,
	"timeout": 1, "gtimeout": 1, "npx": 0, "bunx": 0, "xvfb-run": 0, "setsid": 0, "builtin": 0}

func unwrap(argv []string) []string {
	for len(argv) > 0 {
		if isAssignment(argv[0]) {
			argv = argv[1:]
			continue
		}
		skip, ok := wrappers[path.Base(argv[0])]
		if !ok {
			return argv
		}
		argv = argv[1:]
		for len(argv) > 0 && (strings.HasPrefix(argv[0], "-") || isAssignment(argv[0])) {
			if takesUser := argv[0] == "-u" || argv[0] == "-n" || argv[0] == "-k" || argv[0] == "-s"; takesUser && len(argv) > 1 {
				argv = argv[1:]
			}
			argv = argv[1:]
		}
		argv = argv[min(skip, len(argv)):]
	}
	return nil
}

func isAssignment(s string) bool {
	name, _, ok := strings.Cut(s, "=")
	return ok && name != "" && !strings.ContainsAny(name, "-/. :?&")
}

// flag returns the first value of the first flag that is given.
func (c command) flag(names ...string) string {
	for _, n := range names {
		if v := c.flags[n]; len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

func (c command) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, ok := c.flags[n]; return ok })
}

func (c command) word(i int) string {
	if i < len(c.words) {
		return c.words[i]
	}
	return ""
}

// outputFlags change what is shown, not what is done.
var outputFlags = wordSet("o output json format query verbose v debug q quiet no-cli-pager wait w watch timeout y yes f force silent s S no-color color " +
	"pretty jq template web auto-approve only-show-errors no-wait async progress no-progress dry-run request-timeout description notes")

// effect builds one effect of the command with the words from index at as its
// object and the flags that name it.
func (c command) effect(m meaning, resource string, at int) Effect {
	e := Effect{Tool: c.name, Class: ExternalWrite, Verb: m.verb, Resource: fold(resource), Repeatable: m.repeatable, Inferred: true}
	e.Why = strings.Join(append([]string{c.name}, c.words[:min(at, len(c.words))]...), " ")
	if !m.write {
		e.Class = Read
		if m.verb != None && m.verb != Login {
			e.LooksUp = e.Resource
		}
	}
	switch m.verb {
	case Cancel, Delete, Close, Return:
		if at == 0 || c.word(at-1) != "merge" {
			e.Undoes = e.Resource
		}
	case Append, Send:
		e.Append = true
	}
	e.OperationID, e.Identity = c.identity(at)
	if e.Class == ExternalWrite && c.dry() {
		return e.asRead("dry run of " + e.Why)
	}
	return e
}

func (c command) dry() bool {
	v, ok := c.flags["dry-run"]
	return ok && (len(v) == 0 || v[0] != "none" && v[0] != "false")
}

func (c command) identity(at int) (operation, id string) {
	m := map[string]value{}
	if at < len(c.words) {
		m["arg"] = values(c.words[at:])
	}
	for name, vals := range c.flags {
		switch f := flatKey(name); {
		case operationKeys[f]:
			operation = vals[0]
		case outputFlags[name] && !(valued[c.name][name] && name == "f"):
		case len(vals) == 1:
			m[name] = vals[0]
		default:
			m[name] = values(vals)
		}
	}
	if c.stdin != "" && c.readsStdin() {
		m["stdin"] = c.stdin
	}
	return operation, canonical(m)
}

// readsStdin: "-" stands for standard input; mail programs read it unasked.
func (c command) readsStdin() bool {
	return mailers[c.name] || slices.ContainsFunc(c.raw, func(a string) bool {
		return a == "-" || a == "/dev/stdin" || strings.HasSuffix(a, "@-") || strings.HasSuffix(a, "=-")
	})
}

var mailers = wordSet("mail mailx sendmail mutt msmtp swaks")

func values(words []string) []value {
	list := make([]value, len(words))
	for i, w := range words {
		list[i] = w
	}
	return list
}
