package atif

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// Grade is what every trajectory can record. Error flags are an extension of
// some converters: a trajectory that has them adds to it.
const Grade = ingest.HasTools | ingest.HasResults | ingest.HasUsage | ingest.HasTimes

// Format is a trajectory file.
var Format = decode.Format{Name: "atif", Version: 1, Grade: Grade, Detect: detect, Decode: Decode}

const versionPrefix = "ATIF-v"

// detect wants the member that names the format, in a JSON object.
func detect(head []byte) bool {
	found := false
	decode.Peek(head, func(name string, value []byte, whole bool) bool {
		found = name == "schema_version" && whole && strings.HasPrefix(ingest.TextOf(value), versionPrefix)
		return !found
	})
	return found
}

// Decode reads one trajectory. A major version above 1 is quarantined whole.
func Decode(in *decode.Input, w *decode.Writer) error {
	d := &decoder{w: w}
	doc := decode.Document{Lists: []string{"steps"}, Heads: heads, Member: d.head.member}
	outline, err := doc.Outline(in, w)
	if err != nil {
		return err
	}
	if major := d.head.major(); major > 1 {
		return quarantine(in, w, major)
	}
	if outline.Whole && outline.Units == 0 {
		w.SkipAt(1, 0, "no-steps", "")
		return nil
	}
	body := decode.Document{
		Lists: []string{"steps"},
		Unit:  d.unit,
		Aside: map[string]string{"subagent_trajectories": "sub-agent"},
		Heads: []string{},
	}
	return body.Decode(in, w)
}

func quarantine(in *decode.Input, w *decode.Writer, major int) error {
	raw := make([]byte, min(in.Size, decode.MaxUnit))
	n, err := in.ReadAt(raw, 0)
	if err != nil && n < len(raw) {
		return fmt.Errorf("read %s: %w", in.Path, err)
	}
	w.Quarantine(raw, 1, 0, "unknown-version", fmt.Errorf("%w: major version %d", errVersion, major))
	return nil
}

var errVersion = errors.New("trajectory version not known")

var heads = []string{"schema_version", "session_id", "trajectory_id", "agent", "continued_trajectory_ref"}

// header is what a trajectory says about itself.
type header struct {
	schema, session, trajectory, continued string
	agent, version, model, part            string
}

func (h *header) member(name string, value []byte) error {
	var c decode.Cursor
	c.Reset(value)
	var err error
	switch name {
	case "schema_version":
		h.schema, err = c.String()
	case "session_id":
		h.session, err = c.ID()
	case "trajectory_id":
		h.trajectory, err = c.ID()
	case "continued_trajectory_ref":
		h.continued, err = c.String()
	case "agent":
		err = c.Object(func(name []byte) error { return h.agentMember(&c, string(name)) })
	}
	return err
}

func (h *header) agentMember(c *decode.Cursor, name string) (err error) {
	switch name {
	case "name":
		h.agent, err = c.String()
	case "version":
		h.version, err = c.ID()
	case "model_name":
		h.model, err = c.String()
	case "extra":
		err = c.Object(func(name []byte) (err error) {
			if string(name) == "continuation_index" {
				h.part, err = c.ID()
				return err
			}
			return c.Skip()
		})
	default:
		err = c.Skip()
	}
	return err
}

// major is the first number of the version, 1 when it cannot be read.
func (h *header) major() int {
	s, _, _ := strings.Cut(strings.TrimPrefix(h.schema, versionPrefix), ".")
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return 1
}

// meta fills in the run's meta. A reference that is a file's name says nothing
// outside its folder, so only an id is a link.
func (h *header) meta(m *ingest.Meta) {
	m.Native = h.session
	if h.session == "" {
		m.Native = h.trajectory
	} else if h.trajectory != "" && h.trajectory != h.session {
		m.Links = append(m.Links, h.trajectory)
	}
	if h.continued != "" && !strings.ContainsAny(h.continued, "./\\") {
		m.Links = append(m.Links, h.continued)
	}
	m.Harness, m.Version, m.Model = h.agent, h.version, h.model
	if n, err := strconv.Atoi(h.part); err == nil {
		m.Part = n // trajectories without times are put in order by it
	}
}

type decoder struct {
	w     *decode.Writer
	head  header
	begun bool
}

// begin names the run by its first step besides its session: agents write
// placeholder or shared session ids.
func (d *decoder) begin(u *decode.Unit) {
	if d.begun {
		return
	}
	d.begun = true
	native := d.head.session
	if native == "" {
		native = d.head.trajectory
	}
	d.w.BeginAt(u, native, d.head.agent, d.head.part)
	d.head.meta(d.w.Meta())
}

func (d *decoder) unit(c *decode.Cursor, u *decode.Unit) error {
	d.begin(u)
	if c.Kind() != '{' {
		return errors.New("step is not an object")
	}
	var s step
	if err := s.read(c); err != nil {
		return fmt.Errorf("read step: %w", err)
	}
	s.emit(u)
	if s.flags {
		d.w.CanRecord(ingest.HasErrors | ingest.HasExitCodes)
	}
	if s.exits {
		d.w.CanRecord(ingest.HasExitCodes)
	}
	m := d.w.Meta()
	m.Model, m.Cwd = cmp.Or(m.Model, s.model), cmp.Or(m.Cwd, s.cwd)
	return nil
}

func isText(u *decode.Unit, s ingest.Span) bool {
	return len(bytes.TrimSpace([]byte(textOf(u, s)))) > 0
}

func textOf(u *decode.Unit, s ingest.Span) string {
	return ingest.TextOf(u.Data[s.Off : s.Off+s.Len])
}
