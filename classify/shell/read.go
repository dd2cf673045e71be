package shell

import (
	"slices"
	"strings"
)

// readers maps programs that only read to the flags that take a value, and
// pattern counts the operands before the files.
var readers = map[string]struct {
	values  string
	pattern int
}{
	"cat": {}, "bat": {}, "less": {}, "more": {}, "nl": {}, "wc": {}, "file": {}, "stat": {"-c -f --format", 0},
	"head": {"-n -c --lines --bytes", 0}, "tail": {"-n -c --lines --bytes", 0},
	"grep": {"-e -f -A -B -C -m --include --exclude --exclude-dir --color", 1}, "egrep": {"-e -A -B -C -m", 1},
	"fgrep": {"-e -A -B -C -m", 1}, "zgrep": {"-e -A -B -C", 1},
	"rg": {"-e -g -t -T -A -B -C -m --glob --type", 1}, "ag": {"-A -B -C", 1}, "ack": {"-A -B -C", 1},
	"sed": {"-e -f", 1}, "awk": {"-F -v -f", 1}, "gawk": {"-F -v -f", 1}, "jq": {"--indent", 1}, "yq": {"", 1},
	"diff": {"-U -C -I -x", 0}, "cmp": {}, "comm": {}, "md5sum": {}, "sha1sum": {}, "sha256sum": {}, "shasum": {"-a", 0}, "cksum": {},
	"xxd": {"-l -s -c", 0}, "hexdump": {"-n -s", 0}, "od": {"-A -t -N -j", 0}, "strings": {"-n", 0},
	"sort": {"-k -t", 0}, "uniq": {}, "cut": {"-d -f -c", 0}, "tr": {"", 2}, "column": {"-s", 0}, "paste": {}, "join": {}, "rev": {}, "tac": {},
	"ls": {}, "tree": {"-L -I -P", 0}, "du": {"-d --max-depth", 0}, "realpath": {}, "readlink": {}, "basename": {"", 1}, "dirname": {"", 1},
	"test": {}, "[": {}, "find": {}, "fd": {}, "base64": {"-w", 0}, "zcat": {}, "nm": {}, "objdump": {}, "readelf": {}, "ldd": {}, "cloc": {}, "tokei": {},
}

// silent holds programs that neither change nor read files of their own.
var silent = map[string]bool{
	"echo": true, "printf": true, "pwd": true, "which": true, "whereis": true, "type": true, "ps": true,
	"true": true, "false": true, ":": true, "cd": true, "exit": true, "date": true, "whoami": true,
	"id": true, "hostname": true, "uname": true, "env": true, "printenv": true, "sleep": true, "df": true,
	"free": true, "top": true, "uptime": true, "lsof": true, "netstat": true, "ss": true, "pgrep": true,
	"ping": true, "dig": true, "nslookup": true, "host": true, "seq": true, "expr": true, "bc": true,
	"history": true, "jobs": true, "wait": true, "set": true, "export": true, "alias": true, "man": true,
	"command": true, "hash": true, "ulimit": true, "locale": true, "nproc": true, "lscpu": true,
	"pushd": true, "popd": true, "unset": true, "shopt": true, "trap": true, "return": true, "break": true,
	"continue": true, "read": true, "clear": true, "tput": true, "getconf": true, "arch": true, "cal": true, "yes": true,
}

// asking are subcommands of other programs that only look.
var asking = []string{
	"docker ps", "docker logs", "docker images", "docker inspect", "docker version", "docker info", "docker stats",
	"docker compose ps", "docker compose logs", "docker-compose ps", "docker-compose logs",
	"kubectl get", "kubectl describe", "kubectl logs", "kubectl top", "kubectl version",
	"gh pr view", "gh pr list", "gh pr diff", "gh pr checks", "gh pr status", "gh issue view", "gh issue list",
	"gh run view", "gh run list", "gh repo view", "gh auth status", "gh search",
	"npm ls", "npm list", "npm view", "npm outdated", "npm root", "npm bin", "npm config get", "pnpm ls", "pnpm list", "pnpm why", "yarn list", "yarn why",
	"pip list", "pip show", "pip freeze", "pip3 list", "pip3 show", "pip check", "uv pip list", "poetry show",
	"go list", "go doc", "go env", "go version", "cargo tree", "cargo metadata", "cargo search",
	"systemctl status", "brew list", "brew info", "apt list", "apt-cache", "dpkg -l", "dpkg -L", "json.tool",
	"terraform plan", "terraform show", "aws sts get-caller-identity", "tmux ls", "tmux capture-pane",
}

// ReadOnly tells that the command changes nothing by its own nature. False
// means "may change something", not that it does.
func (c Command) ReadOnly() bool {
	if len(c.Writes)+len(c.Appends) > 0 {
		return false
	}
	if c.asksOnly() {
		return true
	}
	name := Program(c.Argv[0])
	switch {
	case silent[name]:
		return true
	case name == "git":
		return c.gitReadOnly()
	case name == "curl":
		return curlReads(c.Argv[1:])
	case name == "gh" && len(c.Argv) > 1 && c.Argv[1] == "api":
		return ghReads(c.Argv[2:])
	case len(c.Argv) == 2 && hasAny(c.Argv[1:], "--version -V -v version"):
		return true
	}
	if _, ok := readers[name]; ok {
		return len(c.Changes()) == 0
	}
	return slices.ContainsFunc(asking, func(row string) bool { return Leading(name, c.Argv, row) > 0 })
}

func (c Command) gitReadOnly() bool {
	sub, args, _ := c.Git()
	ops := operands(args, "")
	switch sub {
	case "branch":
		return len(ops) == 0 && !hasAny(args, "-d -D -m -M -f -u --delete --move --set-upstream-to") ||
			hasAny(args, "--list -l -a -r --contains --merged --no-merged --show-current -v -vv")
	case "tag":
		return len(ops) == 0 || hasAny(args, "-l --list -n --contains --points-at")
	case "remote":
		return len(ops) == 0 || ops[0] == "show" || ops[0] == "get-url"
	case "stash", "worktree", "notes":
		return len(ops) > 0 && (ops[0] == "list" || ops[0] == "show")
	case "config":
		return hasAny(args, "--get --list -l --get-all --get-regexp") || len(ops) == 1 || len(ops) > 0 && (ops[0] == "get" || ops[0] == "list")
	case "symbolic-ref":
		return len(ops) < 2
	case "diff", "log", "show":
		return flagValue(args, "--output") == ""
	}
	return gitReads[sub]
}

// curlReads is true for a GET or HEAD whose body goes to standard output.
func curlReads(args []string) bool {
	for i, a := range args {
		name, _, _ := strings.Cut(a, "=")
		switch {
		case has("-o -O --output --remote-name -T --upload-file -F --form --json -c --cookie-jar -J", name) && !nextIs(args, i, "/dev/null") && !nextIs(args, i, "-"):
			return false
		case (strings.HasPrefix(name, "-d") || strings.HasPrefix(name, "--data")) && !hasAny(args, "-G --get"):
			return false
		}
	}
	m := flagValue(args, "-X", "--request")
	for _, a := range args {
		if v, ok := strings.CutPrefix(a, "-X"); ok && v != "" {
			m = v
		}
	}
	return m == "" || strings.EqualFold(m, "GET") || strings.EqualFold(m, "HEAD")
}

func nextIs(args []string, i int, want string) bool {
	return i+1 < len(args) && args[i+1] == want
}

// ghReads is true for a gh api call that sends no fields and no other method.
func ghReads(args []string) bool {
	m := flagValue(args, "-X", "--method")
	if m != "" {
		return strings.EqualFold(m, "GET")
	}
	return !hasAny(args, "-f -F --field --raw-field --input")
}

// Reads returns the paths that the command reads, joined with Dir, as far as
// its arguments tell; "." stands for the tree at Dir.
func (c Command) Reads() []string {
	var out []string
	if c.StdinFile != "" {
		out = append(out, c.StdinFile)
	}
	name := Program(c.Argv[0])
	args := c.Argv[1:]
	switch {
	case name == "git":
		if sub, _, _ := c.Git(); gitReads[sub] && sub != "" && sub != "help" && sub != "version" {
			out = append(out, ".")
		}
	case name == "source" || name == "." || name == "python" || name == "node" || shells[name]:
		if ops := operands(args, "-c -m -e -o"); len(ops) > 0 && !hasAny(args, "-c -e") {
			out = append(out, ops[0])
		}
	case name == "cp" || name == "mv" || name == "rsync" || name == "scp":
		if ops := operands(args, "-t"); len(ops) > 1 {
			out = append(out, ops[:len(ops)-1]...)
		}
	default:
		out = append(out, readOperands(name, args)...)
	}
	for i := range out {
		if out[i] = join(c.Dir, out[i]); out[i] == "" {
			out[i] = "."
		}
	}
	return out
}

func readOperands(name string, args []string) []string {
	row, ok := readers[name]
	if !ok {
		return nil
	}
	ops := operands(args, row.values)
	switch name {
	case "find", "fd":
		if i := slices.IndexFunc(args, func(a string) bool { return strings.HasPrefix(a, "-") || a == "(" || a == "!" }); i >= 0 {
			ops = operands(args[:i], "")
		}
	case "[", "test":
		ops = slices.DeleteFunc(ops, func(a string) bool { return a == "]" || a == "=" || a == "!" || a == "==" || a == "!=" })
	}
	skip := row.pattern
	if skip > 0 && hasAny(args, "-e -f --regexp --expression") {
		skip = 0
	}
	if skip > len(ops) {
		return nil
	}
	ops = ops[skip:]
	if len(ops) == 0 && (name == "ls" || name == "find" || name == "tree" || name == "rg" || name == "du") {
		return []string{"."}
	}
	return ops
}
