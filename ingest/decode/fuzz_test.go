package decode_test

import (
	"testing"

	"github.com/faultline-dev/faultline/ingest/decode"
	"github.com/faultline-dev/faultline/ingest/decodetest"
)

var hostile = []string{
	"", "\ufeff", "{}\n{}", `{"id":1}{"id":1}`, `{"text":"half{"text":"whole"}`, "{\"a\":\n1}\r\n\r\n[", `[{"text":"x"},{"skip":1},7,]`,
	`{"list":[{"id":"a"},{"text":"b"}],"side":[1,{}],"list":[]}`, "[{\"list\":[{}]},\n{\"list\":[[],{}]}]", "{\"te\xff\":\"\xe2\x82\"}\x00",
	"}{\"a\":}{\"a\":}{\"", `{"text":"mail dana@corp.example"}`, `{"list":[{"skip":{}},{"te`, "\n\n\n[\n{\n}\n,\n{\n}\n]\n",
}

func fuzzWay(f *testing.F, way string) {
	for _, seed := range hostile {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { decodetest.Survives(t, ways[way], data) })
}

func FuzzLines(f *testing.F)     { fuzzWay(f, "lines") }
func FuzzValues(f *testing.F)    { fuzzWay(f, "values") }
func FuzzDocument(f *testing.F)  { fuzzWay(f, "document") }
func FuzzDocuments(f *testing.F) { fuzzWay(f, "documents") }

// FuzzCursor walks a value with methods that the input chooses.
func FuzzCursor(f *testing.F) {
	for _, seed := range hostile {
		f.Add([]byte(seed), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	}
	f.Fuzz(func(t *testing.T, data, plan []byte) {
		var c decode.Cursor
		c.Reset(data)
		depth := 0
		var step func() error
		step = func() error {
			k := byte(0)
			if len(plan) > 0 {
				k, plan = plan[0], plan[1:]
			}
			if depth++; depth > 100 {
				return c.Skip()
			}
			defer func() { depth-- }()
			var err error
			switch k % 10 {
			case 0:
				err = c.Object(func([]byte) error { return step() })
			case 1:
				err = c.Array(step)
			case 2:
				mark := c.Mark()
				err = c.Skip()
				if s := c.Since(mark); int(s.Off)+int(s.Len) > len(data) {
					t.Fatalf("mark outside: %+v", s)
				}
			case 3:
				s, serr := c.Span()
				if err = serr; int(s.Off)+int(s.Len) > len(data) {
					t.Fatalf("span outside: %+v", s)
				}
			case 4:
				_, err = c.ID()
			case 5:
				_, _, err = c.Int()
			case 6:
				_, _, err = c.Bool()
			case 7:
				_, _, err = c.Time()
			case 8:
				_, err = c.Bytes()
			case 9:
				_, err = c.String()
			}
			return err
		}
		for range 8 {
			if step() != nil {
				break
			}
		}
		_ = c.Done()
	})
}
