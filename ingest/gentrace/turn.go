package gentrace

import "fmt"

// turn is a response of the model, which calls tools, and what they return.
func (s *session) turn() {
	s.respond()
	if s.r.IntN(3) == 0 {
		s.think()
	}
	if s.r.IntN(2) == 0 {
		s.say(string(s.text.append(nil, s.length()/4)))
	}
	calls := make([]call, 1+s.r.IntN(4)/3)
	for i := range calls {
		calls[i] = s.call()
	}
	for _, c := range calls {
		s.result(c)
	}
	if s.r.IntN(25) == 0 {
		s.snapshot()
	}
}

// call is a tool call that waits for its result.
type call struct{ id, tool, input string }

func (s *session) respond() { s.msg = "msg_" + string(s.text.random(nil, 22)) }

// assistant writes one content block of the response under way.
func (s *session) assistant(block []byte) {
	s.body = append(s.body[:0], `"message":{"model":"claude-model-4","id":"`+s.msg+`","type":"message","role":"assistant","content":[`...)
	s.body = append(s.body, block...)
	s.body = fmt.Appendf(s.body, `],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":%d,"service_tier":"standard"}},"requestId":"req_%s",`,
		s.r.IntN(12), s.r.IntN(5000), 9000+s.r.IntN(90000), s.r.IntN(900), s.msg[4:])
	s.line("assistant", s.body)
}

func (s *session) think() {
	block := s.text.append([]byte(`{"type":"thinking","thinking":"`), s.length()/2)
	block = s.text.random(append(block, `","signature":"`...), 200)
	s.assistant(append(block, `"}`...))
}

func (s *session) say(text string) {
	s.assistant([]byte(`{"type":"text","text":"` + text + `"}`))
}

// call writes a tool call.
func (s *session) call() call {
	c := call{id: "toolu_" + string(s.text.random(nil, 24))}
	switch n := s.r.IntN(10); {
	case n < 4:
		c.tool = "Read"
		c.input = fmt.Sprintf(`{"file_path":"%s"}`, s.file())
	case n < 7:
		c.tool = "Bash"
		c.input = fmt.Sprintf(`{"command":"%s","description":"%s %s"}`, s.command(), s.text.word(), s.text.word())
	case n < 9:
		c.tool = "Edit"
		c.input = string(s.text.append(fmt.Appendf(nil, `{"file_path":"%s","old_string":"`, s.file()), s.length()/3))
		c.input = string(s.text.append([]byte(c.input+`","new_string":"`), s.length()/3)) + `"}`
	default:
		c.tool = "Write"
		c.input = string(s.text.append(fmt.Appendf(nil, `{"file_path":"%s","content":"`, s.file()), s.length())) + `"}`
	}
	s.assistant([]byte(`{"type":"tool_use","id":"` + c.id + `","name":"` + c.tool + `","input":` + c.input + `}`))
	return c
}

func (s *session) command() string {
	commands := []string{"go test ./...", "go build ./...", "git status --short", "git diff", "npm test", "ls -la",
		"grep -rn " + s.text.name() + " .", "cat " + s.file(), "make check", "git commit -am '" + s.text.word() + " " + s.text.word() + "'"}
	return commands[s.r.IntN(len(commands))]
}

// result writes what a tool returned, as text and as structure.
func (s *session) result(c call) {
	if c.tool == "Bash" && s.r.IntN(6) == 0 {
		s.progress(c)
	}
	if c.tool == "Read" && s.r.IntN(250) == 0 {
		s.image(c)
		return
	}
	failed := s.r.IntN(18) == 0
	text := s.text.append(nil, s.length())
	s.body = append(s.body[:0], `"message":{"role":"user","content":[{"tool_use_id":"`+c.id+`","type":"tool_result","content":"`...)
	if failed && c.tool == "Bash" {
		s.body = append(s.body, `Exit code 1\n`...)
	}
	s.body = append(s.body, text...)
	s.body = fmt.Appendf(s.body, `","is_error":%t}]},`, failed)
	switch {
	case failed:
		s.body = append(append(s.body, `"toolUseResult":"Error: `...), text...)
		s.body = append(s.body, `",`...)
	case c.tool == "Bash":
		s.body = append(append(s.body, `"toolUseResult":{"stdout":"`...), text...)
		s.body = append(s.body, `","stderr":"","interrupted":false,"isImage":false},`...)
	default:
		s.body = append(append(s.body, `"toolUseResult":{"type":"text","file":{"filePath":"/srv/app/a.go","content":"`...), text...)
		s.body = append(s.body, `","numLines":40,"startLine":1,"totalLines":40}},`...)
	}
	s.line("user", s.body)
}

// image writes a screenshot, which no compression makes smaller.
func (s *session) image(c call) {
	data := s.text.random(nil, 4000+s.r.IntN(150_000))
	s.body = append(s.body[:0], `"message":{"role":"user","content":[{"tool_use_id":"`+c.id+`","type":"tool_result","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`...)
	s.body = append(append(s.body, data...), `"}}]}]},`...)
	s.line("user", s.body)
}

func (s *session) progress(c call) {
	s.body = s.text.append(append(s.body[:0], `"data":{"type":"bash_progress","output":"`...), s.length())
	s.body = append(s.body, `","elapsedTimeSeconds":3,"totalLines":12},"toolUseID":"bash-progress-1","parentToolUseID":"`+c.id+`",`...)
	s.line("progress", s.body)
}

// request is what the user asks for.
func (s *session) request() {
	s.body = s.text.append(append(s.body[:0], `"message":{"role":"user","content":"Please fix `+s.text.word()+` in `+s.file()+`:\n`...), s.length())
	s.line("user", append(s.body, `"},`...))
}

// snapshot lists the files that the harness keeps copies of.
func (s *session) snapshot() {
	s.n++
	id := s.uuid()
	s.buf = append(s.buf[:0], `{"type":"file-history-snapshot","messageId":"`+id+`","snapshot":{"messageId":"`+id+`","trackedFileBackups":{`...)
	for i := range min(s.n, 200) {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		s.buf = fmt.Appendf(s.buf, `"src/%d/%s":{"backupFileName":"%s@v%d","version":%d,"backupTime":"2026-03-01T10:00:00.250Z"}`,
			i, s.text.word(), s.msg, i, i)
	}
	s.buf = append(s.buf, `},"timestamp":"2026-03-01T10:00:00.250Z"},"isSnapshotUpdate":false}`+"\n"...)
	s.flush()
}
