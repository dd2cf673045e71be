package effect

import (
	"slices"
	"strings"
)

// remote reads ssh, scp and rsync: where it goes, and for ssh what runs there.
func remote(c command) []Effect {
	if c.name == "ssh" {
		return ssh(c)
	}
	if len(c.words) < 2 {
		return nil
	}
	target := c.word(len(c.words) - 1)
	if !isRemotePath(target) {
		for _, w := range c.words {
			if isRemotePath(w) {
				return one(c.effect(rd(Lookup), "remote-file", 0))
			}
		}
		return nil
	}
	e := c.effect(set(Set), "remote-file", 0)
	return one(e.localise(hostGround(target)))
}

// isRemotePath reports host:path, user@host:path or a URL with one.
func isRemotePath(s string) bool {
	host, _, ok := strings.Cut(s, ":")
	return ok && host != "" && !strings.ContainsAny(host, "/.\\") || ok && strings.Contains(host, "@") || ok && strings.Contains(host, ".") && !strings.Contains(host, "/")
}

// hostGround: an ssh alias without a dot may be any host, so a bare name is
// no proof of a container here.
func hostGround(target string) string {
	host := hostOf(target)
	if g := localHost(host); g != "container" || strings.Contains(host, ".") {
		return g
	}
	return ""
}

var remoteReads = wordSet("ls cat head tail grep find ps uptime df du free echo pwd whoami id hostname uname date stat test wc which env printenv journalctl dmesg top netstat ss true")

var remoteWrites = map[string]meaning{"rm": set(Delete), "mkdir": set(Create), "cp": set(Set), "mv": set(Set), "tee": set(Set), "touch": set(Set), "chmod": set(Set), "chown": set(Set),
	"reboot": wr(Start), "shutdown": wr(Start), "kill": set(Cancel), "apt": set(Set), "apt-get": set(Set), "yum": set(Set), "dnf": set(Set)}

// ssh judges the command that runs on the other host; one that is not known
// stays unknown.
func ssh(c command) []Effect {
	if len(c.words) < 2 {
		return nil
	}
	line := strings.Join(c.words[1:], " ")
	class, m := Read, rd(Lookup)
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return r == ';' || r == '|' || r == '&' || r == '\n' }) {
		words := unwrap(strings.Fields(part))
		if len(words) == 0 || words[0] == "cd" || words[0] == "set" {
			continue
		}
		pc, pm := remoteClass(words)
		if pc == ExternalWrite || pc == Unknown && class == Read {
			class, m = pc, pm
		}
	}
	if strings.Contains(line, ">") && !strings.Contains(line, ">/dev/null") && class == Read {
		class, m = Unknown, meaning{verb: None}
	}
	e := c.effect(m, "remote-host", 0)
	e.Class, e.Why = class, "ssh command"
	return one(e.localise(hostGround(c.word(0))))
}

func remoteClass(words []string) (Class, meaning) {
	name := words[0][strings.LastIndexByte(words[0], '/')+1:]
	if remoteReads[name] {
		return Read, rd(Lookup)
	}
	if m, ok := remoteWrites[name]; ok {
		return ExternalWrite, m
	}
	if len(words) > 1 && slices.Contains([]string{"systemctl", "service", "docker", "git", "pm2", "supervisorctl", "kubectl"}, name) {
		for _, w := range words[1:] {
			if remoteReads[w] || w == "images" || w == "log" {
				return Read, rd(Lookup)
			}
			if m, ok := verbs[w]; ok {
				if m.write {
					return ExternalWrite, m
				}
				return Read, m
			}
		}
	}
	return scriptClass(name)
}

// scriptClass goes by the name of a script on the other host: what it does
// there is outside the workspace.
func scriptClass(name string) (Class, meaning) {
	base, _, isScript := strings.Cut(name, ".")
	words := splitWords(base)
	at := findVerb(words)
	switch {
	case !isScript || at < 0:
	case verbs[words[at]].write:
		return ExternalWrite, verbs[words[at]]
	case verbs[words[at]].verb != None:
		return Read, rd(Lookup)
	}
	return Unknown, meaning{verb: None}
}

// insideContainer finds the command of "docker exec NAME cmd", "docker run
// IMAGE cmd" and "docker compose exec SERVICE cmd".
func insideContainer(name string, args []string) ([]string, bool) {
	if name != "docker" && name != "podman" && name != "nerdctl" && name != "docker-compose" {
		return nil, false
	}
	if len(args) > 0 && args[0] == "compose" {
		args = args[1:]
	}
	if len(args) == 0 || args[0] != "exec" && args[0] != "run" {
		return nil, false
	}
	takes := wordSet("-e --env -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint --mount --env-file -h --hostname")
	args = args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if takes[args[0]] && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) < 2 {
		return nil, true
	}
	return args[1:], true
}

// withinContainer judges the inner command: what would reach this machine
// reaches the container instead.
func withinContainer(argv []string, stdin string, depth int) []Effect {
	all := fromCommand(argv, stdin, depth+1)
	for i := range all {
		if all[i].Local != "" {
			all[i].Local = "container"
		}
	}
	return all
}
