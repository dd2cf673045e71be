package effect

import (
	"slices"
	"strings"
)

// sqlWords are the first words of statements and what they do.
var sqlWords = map[string]meaning{
	"select": rd(Search), "explain": rd(Lookup), "show": rd(List), "describe": rd(Lookup), "desc": rd(Lookup), "pragma": rd(Lookup),
	"values": rd(Lookup), "table": rd(Search), "with": rd(Search), "use": rd(None), "set": rd(None), "begin": rd(None), "start": rd(None),
	"commit": rd(None), "rollback": rd(None), "end": rd(None), "savepoint": rd(None), "analyze": rd(None), "vacuum": rd(None),
	"insert": wr(Create), "update": set(Update), "delete": set(Delete), "replace": set(Set), "merge": set(Set), "upsert": set(Set),
	"create": wr(Create), "drop": set(Delete), "truncate": set(Delete), "alter": wr(Update), "copy": wr(Create), "call": wr(Start),
	"grant": set(Set), "revoke": set(Cancel), "rename": set(Update),
}

// sqlShape holds the words of which one must follow for a text to be SQL.
var sqlShape = map[string]map[string]bool{
	"insert": wordSet("into overwrite ignore"), "update": wordSet("set"), "delete": wordSet("from"), "replace": wordSet("into"), "merge": wordSet("into using"), "upsert": wordSet("into"),
	"create": sqlObjects, "drop": sqlObjects, "alter": sqlObjects, "truncate": sqlObjects, "copy": wordSet("from to"), "grant": wordSet("to"), "revoke": wordSet("from"),
	"rename": wordSet("to"), "call": wordSet("("),
}

var sqlObjects = wordSet("table index view database schema sequence trigger function procedure type user role extension column materialized unique constraint")

// sqlEffect judges one or more statements; ok is false when the text is no SQL.
// The first write decides; without one it is a read of the first table.
func sqlEffect(text string) (e Effect, ok bool) {
	for _, words := range sqlStatements(text) {
		m, known := sqlWords[words[0]]
		if !known {
			continue
		}
		if need, ok := sqlShape[words[0]]; ok && !slices.ContainsFunc(words, func(w string) bool { return need[w] }) {
			continue // "update on my order" is prose
		}
		m = refineSQL(words, m)
		table := sqlTable(words)
		if m.write {
			e = Effect{Class: ExternalWrite, Verb: m.verb, Resource: table, Repeatable: m.repeatable, Why: "SQL " + strings.ToUpper(words[0])}
			if m.verb == Delete {
				e.Undoes = table
			}
			return e, true
		}
		if !ok {
			e = Effect{Class: Read, Verb: m.verb, Resource: table, LooksUp: table, Repeatable: true, Why: "SQL " + strings.ToUpper(words[0])}
			ok = true
		}
	}
	return e, ok
}

// refineSQL handles WITH … INSERT, SELECT … INTO, EXPLAIN ANALYZE DELETE,
// ON CONFLICT, IF NOT EXISTS and an UPDATE that counts up.
func refineSQL(words []string, m meaning) meaning {
	first := words[0]
	for i, w := range words[1:] {
		next := ""
		if i+2 < len(words) {
			next = words[i+2]
		}
		switch {
		case first == "select" && w == "into", (first == "with" || first == "explain" && words[1] == "analyze") && w == "insert":
			return wr(Create)
		case (first == "with" || first == "explain" && words[1] == "analyze") && (w == "update" || w == "delete") && words[i] != "for":
			return sqlWords[w]
		case first == "insert" && (w == "on" && (next == "conflict" || next == "duplicate") || w == "ignore"),
			first == "create" && w == "if":
			m.repeatable = true
		case first == "update" && (w == "+" || w == "-" || w == "||"):
			m.repeatable = false
		}
	}
	return m
}

// sqlTable is the singular name of the table after INTO, FROM, UPDATE or TABLE.
func sqlTable(words []string) string {
	for i, w := range words {
		if i+1 >= len(words) {
			break
		}
		switch w {
		case "into", "from", "update", "table", "join", "exists", "truncate":
			name := words[i+1]
			if name == "table" || name == "only" || name == "if" || name == "(" || name == "select" {
				continue
			}
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
				name = name[dot+1:]
			}
			return resourceName(splitWords(name))
		}
	}
	return "table"
}

// sqlStatements cuts SQL into statements of lower-case words and operators,
// without comments and literals. It reads at most 64 KiB.
func sqlStatements(text string) [][]string {
	if len(text) > 64<<10 {
		text = text[:64<<10]
	}
	var all [][]string
	var words []string
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == ';':
			if len(words) > 0 {
				all, words = append(all, words), nil
			}
			i++
		case strings.HasPrefix(text[i:], "--"):
			i = skipPast(text, i, "\n")
		case strings.HasPrefix(text[i:], "/*"):
			i = skipPast(text, i+2, "*/")
		case c == '\'':
			i = skipPast(text, i+1, "'")
		case isWord(c) || c == '"' || c == '`':
			j := i
			for j < len(text) && (isWord(text[j]) || text[j] == '.' || text[j] == '"' || text[j] == '`') {
				j++
			}
			if w := strings.ToLower(strings.NewReplacer(`"`, "", "`", "").Replace(text[i:j])); w != "" {
				words = append(words, w)
			}
			i = j
		case strings.IndexByte("+-|(", c) >= 0:
			if c == '|' {
				words = append(words, "||")
			} else {
				words = append(words, string(c))
			}
			i++
		default:
			i++
		}
	}
	if len(words) > 0 {
		all = append(all, words)
	}
	return all
}

func skipPast(text string, from int, end string) int {
	if from >= len(text) {
		return len(text)
	}
	if n := strings.Index(text[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return len(text)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
