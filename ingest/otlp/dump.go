package otlp

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/span"
)

// flat reads one span as it stands in a dump.
func (f *jsonFile) flat(v value) (fault, err error) {
	d, err := f.read(v.raw)
	if err != nil {
		return err, nil
	}
	return f.take(d.settle(), v.line, v.offset, v.length)
}

// read reads a span member by member.
func (f *jsonFile) read(raw []byte) (*dumped, error) {
	d := &dumped{c: &f.c, raw: raw}
	d.c.Reset(raw)
	err := d.c.Object(d.member)
	if err == nil {
		err = d.c.Done()
	}
	if plain := decode.WithoutConstants(raw); err != nil && plain != nil {
		return f.read(plain)
	}
	return d, err
}

// refused reads an OTLP span that the collector's reader takes exception to,
// for one member of a wrong type, or because its ids are base64.
func (f *jsonFile) refused(v value, resource, scope []byte, cause error) (fault, err error) {
	d, err := f.read(v.raw)
	if err != nil {
		return cause, nil
	}
	s := d.settle()
	s.Resource, s.Scope = resource, scope
	if !isHex(s.Trace, 32) || !isHex(s.ID, 16) {
		return errIDs, nil
	}
	return f.take(s, v.line, v.offset, v.length)
}

// dumped is a span on its way out of a dump: of an SDK's console exporter in
// Python, JavaScript or Go, of Phoenix, of the AI SDK, or a flat line.
type dumped struct {
	c        *decode.Cursor
	raw      []byte // what the cursor walks
	span     span.Span
	id       string // a member that is only called id
	oi       string // OpenInference's kind, beside the attributes
	duration uint64
	micro    bool // times are in microseconds
	js       bool // JavaScript's numbers for kinds begin at 0
	kind     string
}

// member reads one member of a span; names differ in case and underscores only.
func (d *dumped) member(name []byte) (err error) {
	s := &d.span
	switch plainName(string(name)) {
	case "name", "operationname", "spanname":
		s.Name, err = d.c.String()
	case "traceid":
		s.Trace, err = d.ident()
	case "spanid":
		s.ID, err = d.ident()
	case "parentid", "parentspanid":
		s.Parent, err = d.ident()
	case "references":
		err = d.c.Array(d.reference)
	case "id":
		d.id, err = d.ident()
	case "context", "spancontext":
		err = d.context(&s.Trace, &s.ID, &s.State)
	case "parent", "parentspancontext":
		err = d.context(new(string), &s.Parent, new(string))
	case "kind":
		d.kind, err = d.c.ID()
	case "spankind":
		d.kind, err = d.c.ID()
		d.oi = d.kind
	case "starttime", "startns", "starttimens", "starttimeunixnano", "start", "timestamp":
		s.Start, err = d.time()
	case "endtime", "endns", "endtimens", "endtimeunixnano", "end":
		s.End, err = d.time()
	case "duration", "durationns":
		d.duration, err = d.length()
	case "status":
		err = d.status()
	case "statuscode":
		s.Status, err = d.code()
	case "statusmessage", "statusdescription":
		s.Message, err = d.c.String()
	case "attributes", "spanattributes", "tags":
		err = d.attributes(&s.Attrs)
	case "events", "logs":
		err = d.c.Array(d.event)
	case "links":
		err = d.c.Array(d.link)
	case "resource", "resourceattributes", "process":
		s.Resource, err = d.around()
	case "scope", "instrumentationscope", "instrumentationlibrary", "instrumentationinfo":
		s.Scope, err = d.around()
	case "flags", "traceflags", "droppedattributescount", "droppedeventscount", "droppedlinkscount", "ended":
		err = d.c.Skip()
	default:
		err = d.attribute(&s.Attrs, string(name))
	}
	return err
}

// settle fills in what is told in other places than usual.
func (d *dumped) settle() *span.Span {
	s := &d.span
	if s.ID == "" {
		s.ID = d.id
	}
	if s.End == 0 && s.Start > 0 && d.duration > 0 {
		if d.micro {
			d.duration *= 1000
		}
		s.End = s.Start + d.duration
	}
	d.jaeger()
	if s.Kind = kindName(d.kind, d.js); s.Kind == "" && d.oi != "" {
		s.Attrs = append(s.Attrs, span.Attr{Key: "openinference.span.kind", Value: span.Quote(nil, []byte(strings.ToUpper(d.oi)))})
	}
	return s
}

// kindName reads INTERNAL, SpanKind.INTERNAL, SPAN_KIND_INTERNAL or a number; ""
// for what is no kind of OpenTelemetry.
func kindName(k string, js bool) string {
	names := []string{"", "internal", "server", "client", "producer", "consumer"}
	if n, err := strconv.Atoi(k); err == nil {
		if js {
			n++
		}
		if n < 0 || n >= len(names) {
			return ""
		}
		return names[n]
	}
	k = strings.ToLower(k)
	k = strings.TrimPrefix(strings.TrimPrefix(k, "spankind."), "span_kind_")
	for _, name := range names[1:] {
		if k == name {
			return k
		}
	}
	return ""
}

func (d *dumped) context(trace, id, state *string) error {
	if d.c.Kind() != '{' {
		s, err := d.ident()
		*id = s
		return err
	}
	return d.c.Object(func(name []byte) (err error) {
		switch plainName(string(name)) {
		case "traceid":
			*trace, err = d.ident()
		case "spanid":
			*id, err = d.ident()
		case "tracestate":
			if *state, err = d.c.String(); *state == "[]" {
				*state = ""
			}
		default:
			err = d.c.Skip()
		}
		return err
	})
}

func (d *dumped) status() error {
	if d.c.Kind() != '{' {
		s, err := d.code()
		d.span.Status = s
		return err
	}
	return d.c.Object(func(name []byte) (err error) {
		switch plainName(string(name)) {
		case "code", "statuscode":
			d.span.Status, err = d.code()
		case "message", "description":
			d.span.Message, err = d.c.String()
		default:
			err = d.c.Skip()
		}
		return err
	})
}

func (d *dumped) code() (string, error) {
	s, err := d.c.ID()
	return statusOf(s), err
}

// time reads a time in any spelling: text, a number of any unit, or seconds and
// nanoseconds in a list.
func (d *dumped) time() (uint64, error) {
	if d.c.Kind() == '[' {
		d.js = true
		var parts []int64
		err := d.c.Array(func() error {
			n, _, err := d.c.Int()
			parts = append(parts, n)
			return err
		})
		if len(parts) != 2 || parts[0] < 0 || parts[1] < 0 || parts[0] > maxSeconds {
			return 0, err
		}
		return uint64(parts[0])*1e9 + uint64(parts[1]), err
	}
	s, err := d.c.ID()
	if n, perr := strconv.ParseUint(s, 10, 64); perr == nil && n > 1e17 {
		return n, err
	} else if perr == nil && n > 1e14 {
		d.micro = true
		return n * 1000, err
	}
	t, q := decode.ParseTime(s)
	if q == ingest.NoTime || t.Unix() > maxSeconds {
		return 0, err
	}
	return uint64(t.UnixNano()), err
}

// maxSeconds is the last second that has nanoseconds in 64 bits.
const maxSeconds = 9_000_000_000
