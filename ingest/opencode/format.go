package opencode

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// family names the runs of all containers.
const family = "opencode"

const grade = ingest.HasTools | ingest.HasResults | ingest.HasErrors | ingest.HasExitCodes |
	ingest.HasUsage | ingest.HasTimes | ingest.HasEnds

// Export is the document that opencode export writes.
var Export = decode.Format{Name: "opencode-export", Version: 1, Grade: grade, Detect: isExport, Decode: decodeExport}

// Stream is what a headless run prints.
var Stream = decode.Format{Name: "opencode-run", Version: 1, Grade: grade, Detect: isStream, Decode: decodeStream}

func isExport(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(head) == 0 || head[0] != '{' {
		return false
	}
	info, list := false, false
	decode.Peek(head, func(name string, value []byte, _ bool) bool {
		switch name {
		case "info":
			info = isSession(value)
		case "messages":
			list = hasParts(value)
		}
		return !info || !list
	})
	return info && list
}

func isSession(info []byte) (is bool) {
	decode.Peek(info, func(name string, value []byte, _ bool) bool {
		is = name == "id" && bytes.HasPrefix(value, []byte(`"ses`))
		return name != "id"
	})
	return is
}

// hasParts looks at the first message; a session may have none.
func hasParts(list []byte) bool {
	if len(list) == 0 || list[0] != '[' {
		return false
	}
	has, any := false, false
	decode.Peek(list, func(_ string, message []byte, _ bool) bool {
		any = true
		decode.Peek(message, func(name string, _ []byte, _ bool) bool {
			has = has || name == "info" || name == "parts"
			return true
		})
		return false
	})
	return has || !any
}

// isStream goes by the first line that is an object.
func isStream(head []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))) {
		line = bytes.TrimLeft(line, " \t")
		if len(line) < 2 || line[0] != '{' {
			continue
		}
		session, kind, body := false, false, false
		decode.Peek(line, func(name string, value []byte, _ bool) bool {
			session = session || name == "sessionID" && bytes.HasPrefix(value, []byte(`"ses`))
			kind = kind || name == "type"
			body = body || name == "part" || name == "error"
			return true
		})
		return session && kind && body
	}
	return false
}

func decodeExport(in *decode.Input, w *decode.Writer) error {
	var s session
	first := decode.Document{Heads: []string{"info"}, Member: func(_ string, value []byte) error {
		var c decode.Cursor
		c.Reset(value)
		return s.read(&c)
	}}
	if _, err := first.Outline(in, w); err != nil {
		return err
	}
	d := begin(w, &s)
	message := decode.Document{Lists: []string{"parts"}, Heads: []string{}, Unit: d.partUnit,
		Whole: map[string]decode.LineDecoder{"info": d.recordUnit}}
	body := decode.Document{Heads: []string{}, Whole: map[string]decode.LineDecoder{"info": d.sessionUnit},
		Parts: map[string]func(*decode.Input) error{"messages": func(in *decode.Input) error { return message.Decode(in, w) }}}
	return body.Decode(in, w)
}

func decodeStream(in *decode.Input, w *decode.Writer) error {
	d := newDecoder(w)
	w.Settled()
	return w.Lines(in, func(c *decode.Cursor, u *decode.Unit) error {
		var l line
		if err := l.read(c); err != nil {
			return fmt.Errorf("read line: %w", err)
		}
		if strings.HasPrefix(l.session, "ses") {
			d.resume(l.session)
		}
		d.line(u, &l)
		return nil
	})
}
