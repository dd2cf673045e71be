package classify

import (
	"bytes"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/faultline-dev/faultline/ingest/quote"
)

// The tables below name tools by what they do, in lower case without
// separators. A tool that none names is Other.
var (
	shellTools = set("bash", "shell", "sh", "zsh", "terminal", "execcommand", "executebash", "runcommand", "runterminalcmd",
		"runterminalcommand", "runshellcommand", "executecommand", "localshell", "localshellcall", "containerexec", "powershell",
		"cmd", "commandline", "bashcommand", "runinterminal", "execute", "exec", "shellexec", "shellcommand", "run", "startprocess")
	editTools = set("edit", "write", "multiedit", "notebookedit", "createfile", "writefile", "writetofile", "editfile",
		"strreplace", "strreplaceeditor", "strreplacebasededittool", "applypatch", "replace", "replaceinfile", "insert",
		"updatefile", "create", "patch", "savefile", "deletefile", "movefile", "searchreplace", "filewrite", "fileedit")
	lookTools = set("read", "view", "glob", "grep", "ls", "cat", "readfile", "openfile", "listdir", "listdirectory",
		"listfiles", "search", "searchfiles", "findfiles", "codebasesearch", "grepsearch", "readmanyfiles", "viewimage",
		"notebookread", "bashoutput", "taskoutput", "agentoutput", "agentoutputtool", "gettaskoutput", "webfetch",
		"websearch", "fetch", "toolsearch", "lsp", "killshell", "killbash", "taskstop")
	noteTools = set("todowrite", "todoread", "think", "thought", "plan", "updateplan", "taskcreate", "taskupdate", "tasklist",
		"taskget", "exitplanmode", "enterplanmode", "askuserquestion", "skill", "slashcommand", "finish", "submit",
		"taskcomplete", "attemptcompletion", "completetask", "marktaskcomplete", "done", "calculate", "memory")
	delegateTools = set("task", "agent", "delegate", "spawnagent", "subagent", "dispatchagent", "newtask", "transfertohumanagents",
		"delegatetask", "delegatetoagent", "codeagent", "runagent", "callagent", "invokeagent", "runsubagent", "callsubagent", "startagent", "taskagent")
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// plain lowers a tool's name and drops separators.
func plain(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		if r != '_' && r != '-' && r != '.' && r != ' ' && r != ':' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// local drops what a harness or server puts before a tool's own name:
// "mcp__filesystem__write_file", "functions.exec_command".
func local(name string) string {
	if i := strings.LastIndex(name, "__"); i >= 0 {
		return name[i+2:]
	}
	return strings.TrimPrefix(name, "functions.")
}

// remote are the members by which a tool names a place outside the workspace;
// content those by which an editing tool says what to write.
var (
	remoteMembers  = []string{"owner", "repo", "repository", "bucket", "project", "project_id", "url", "host", "branch", "space", "page_id"}
	contentMembers = []string{"content", "contents", "file_text", "new_str", "new_string", "newString", "new_text", "edits", "diff", "patch", "code", "code_edit", "new_source", "instructions", "text", "replace"}
	editVerbs      = []string{"edit", "write", "patch", "replace", "insert", "diff", "create", "save", "update", "append"}
)

func hasMember(args jsontext.Value, keys []string) bool {
	for _, key := range keys {
		if len(value(args, key)) > 0 {
			return true
		}
	}
	return false
}

// editsByShape tells a tool that no table names by its verb and its arguments:
// it writes given content to a path of the workspace.
func editsByShape(p string, args jsontext.Value) bool {
	verb := false
	for _, v := range editVerbs {
		verb = verb || strings.Contains(p, v)
	}
	return verb && len(pathsOf(args)) > 0 && hasMember(args, contentMembers) && !hasMember(args, remoteMembers)
}

func toolKind(name string, args jsontext.Value) ActionKind {
	if kind := namedKind(plain(name), args); kind != Other {
		return kind
	}
	if own := local(name); own != name && !hasMember(args, remoteMembers) {
		if kind := namedKind(plain(own), args); kind == Edits || kind == RunsShell || kind == Looks && len(pathsOf(args)) > 0 {
			return kind
		}
	}
	if editsByShape(plain(local(name)), args) {
		return Edits
	}
	return Other
}

func namedKind(p string, args jsontext.Value) ActionKind {
	switch {
	case (shellTools[p] || soundsLikeShell(p)) && commandText("", args) != "":
		return RunsShell
	case p == "strreplaceeditor" || p == "strreplacebasededittool" || p == "texteditor":
		if c := member(args, "command"); c == "view" {
			return Looks
		}
		return Edits
	case editTools[p] && len(pathsOf(args)) > 0:
		return Edits
	case lookTools[p]:
		return Looks
	case noteTools[p]:
		return Notes
	case delegateTools[p]:
		return Delegates
	}
	return Other
}

// soundsLikeShell catches shell tools under names of a harness's own.
func soundsLikeShell(p string) bool {
	for _, word := range []string{"shell", "bash", "terminal", "command"} {
		if strings.Contains(p, word) {
			return true
		}
	}
	return false
}

// commandText finds the command in a shell tool's arguments: a string, or an
// argv list. Of harnesses without tool calls the arguments are the command
// itself, or the model's message with the command in its last fenced block.
func commandText(_ string, args jsontext.Value) string {
	if k := args.Kind(); len(args) > 0 && (k != '{' && k != '[' || !args.IsValid()) {
		return lastBlock(string(args))
	}
	for _, key := range []string{"command", "cmd", "argv", "script", "keystrokes", "code", "input", "commands"} {
		v := value(args, key)
		switch {
		case len(v) == 0:
		case v[0] == '"':
			return text(v)
		case v[0] == '[':
			return argvText(v)
		}
	}
	if action := value(args, "action"); len(action) > 0 && action[0] == '{' { // local_shell
		return argvText(value(action, "command"))
	}
	return ""
}

// lastBlock is the fenced block that a text ends with, else the text.
func lastBlock(text string) string {
	body, ok := strings.CutSuffix(strings.TrimSpace(text), "\n```")
	if !ok {
		return text
	}
	i := strings.LastIndex(body, "```")
	if i < 0 || i > 0 && body[i-1] != '\n' {
		return text
	}
	if _, block, ok := strings.Cut(body[i:], "\n"); ok {
		return block
	}
	return text
}

// argvText renders an argv list as a command: the script of `bash -lc`, or the
// words joined with quotes where they need them.
func argvText(v jsontext.Value) string {
	words := list(v)
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return argvLine(words)
}

// pathMembers are the members that name a file.
var pathMembers = []string{"file_path", "path", "filePath", "notebook_path", "target_file", "filename", "file", "absolute_path", "destination"}

// pathsOf finds the files that an edit or read tool names.
func pathsOf(args jsontext.Value) []string {
	var out []string
	named := make([]string, len(pathMembers))
	patch, input := "", ""
	eachMember(args, func(name string, v jsontext.Value) bool {
		switch i := slices.Index(pathMembers, name); {
		case i >= 0 && named[i] == "":
			named[i] = text(v)
		case name == "patch" && patch == "":
			patch = text(v)
		case name == "input" && input == "":
			input = text(v)
		}
		return true
	})
	for _, s := range named {
		if s != "" {
			out = append(out, s)
		}
	}
	if patch == "" {
		patch = input
	}
	for line := range strings.Lines(patch) {
		for _, mark := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: ", "+++ b/"} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				out = append(out, strings.TrimSpace(rest))
			}
		}
	}
	return out
}

// value returns a top-level member of a JSON object, or nil. It is a part of the
// object: clone it to write it anew.
func value(obj jsontext.Value, key string) (found jsontext.Value) {
	if !mayHaveMember(obj, key) {
		return nil
	}
	eachMember(obj, func(name string, v jsontext.Value) bool {
		if name == key {
			found = v
		}
		return name != key
	})
	return found
}

// mayHaveMember spares most objects a parse: a name stands in them as it is, or
// with a character as a number.
func mayHaveMember(obj jsontext.Value, key string) bool {
	return bytes.Contains(obj, []byte(key)) || bytes.Contains(obj, []byte(`\u`))
}

// eachMember visits the top-level members of a JSON object up to the first that
// is no JSON, as long as visit says so. The values are parts of the object.
func eachMember(obj jsontext.Value, visit func(name string, v jsontext.Value) bool) {
	if len(obj) == 0 || bytes.IndexByte(obj, '{') < 0 {
		return
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(obj), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if dec.PeekKind() != '{' {
		return
	}
	if _, err := dec.ReadToken(); err != nil {
		return
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return
		}
		name := token.String()
		v, err := dec.ReadValue()
		end := dec.InputOffset()
		if err != nil || !visit(name, obj[end-int64(len(v)):end:end]) {
			return
		}
	}
}

// member returns a top-level string member, or "".
func member(obj jsontext.Value, key string) string { return text(value(obj, key)) }

func text(v jsontext.Value) string {
	if len(v) == 0 || v[0] != '"' {
		return ""
	}
	s, _ := quote.Text(v)
	return s
}

// list returns the strings of a JSON array.
func list(v jsontext.Value) []string {
	if len(v) == 0 || v[0] != '[' {
		return nil
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(v), jsontext.AllowInvalidUTF8(true))
	if _, err := dec.ReadToken(); err != nil {
		return nil
	}
	var out []string
	for dec.PeekKind() != ']' {
		e, err := dec.ReadValue()
		if err != nil {
			return out
		}
		if len(e) > 0 && e[0] == '"' {
			out = append(out, text(e))
		}
	}
	return out
}
