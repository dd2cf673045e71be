package redact

import (
	"bytes"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func FuzzUnit(f *testing.F) {
	for _, secret := range planted() {
		f.Add([]byte(nest(secret, 2)))
		f.Add([]byte(secret))
	}
	for _, seed := range []string{
		`{"a":"password:","b":[1,"x@y.zz"],"c":"\\\"token\\\": \\\"abcdefgh1234\\\""}`,
		`{"a":"\npm_\u0040 \u00e9a@b.cd","set-cookie":["a=bcdef","b=cdefg"]}`,
		`{"a":"«email:0123456789ab» «x:","password":"«token:0123456789ab»z"}`,
		`{"a":"curl -u \"a:b\\\"c\" Authorization: Basic ab12cd34=","cookie":"a=\"b\""}`,
		"password='a\nb' <secret>xyz12</secret> https://u:p@h/ \xc2\xab \xff@a.bc",
	} {
		f.Add([]byte(seed))
	}
	a, b := New(keyA), New(keyB)
	f.Fuzz(func(t *testing.T, unit []byte) {
		before := bytes.Clone(unit)
		out, hits := a.Unit(nil, unit)
		checkHits(t, out, hits)
		if !bytes.Equal(unit, before) {
			t.Fatal("src was changed")
		}
		if again, _ := a.Unit(nil, out); !bytes.Equal(again, out) {
			t.Fatalf("twice is not once:\n%q\n%q\n%q", unit, out, again)
		}
		if plainJSON(unit) && !plainJSON(out) {
			t.Fatalf("JSON broken:\n%s\n%s", unit, out)
		}
		if bytes.Contains(unit, []byte(open)) {
			return // hostile digits may order differently; the rest must not
		}
		other, hitsB := b.Unit(nil, unit)
		if !bytes.Equal(Canonical(nil, out, hits), Canonical(nil, other, hitsB)) {
			t.Fatalf("canonical form depends on the key:\n%q\n%q", out, other)
		}
	})
}

// plainJSON reports validity, of duplicate names and bad UTF-8 too.
func plainJSON(b []byte) bool {
	return jsontext.Value(b).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}
