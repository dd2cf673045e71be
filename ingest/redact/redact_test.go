package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var keyA, keyB = Key{1}, Key{2}

// planted is one secret of each kind. They are assembled at run time, so that
// no scanner takes this file for a leak.
func planted() map[string]string {
	const up = "Q7RT2XKLM4WZN3PA"
	const hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b"
	const mix = "aB3dE5gH7jK9mN1pQ3sT5vX7zB9dF1hJ3kL5nP7r"
	return map[string]string{
		"anthropic-key":      "sk-" + "ant-api03-" + mix,
		"openai-key":         "sk-" + "proj-" + mix,
		"api-key":            "sk-" + "or-v1-" + hex,
		"github-token":       "gh" + "p_" + mix[:36],
		"gitlab-token":       "gl" + "pat-" + mix[:20],
		"slack-token":        "xo" + "xb-123456789012-" + mix[:24],
		"slack-webhook":      "hooks." + "slack.com/services/T0AB12CD3/B0EF45GH6/" + mix[:24],
		"discord-webhook":    "/api/web" + "hooks/123456789012345678/" + mix,
		"aws-key-id":         "AK" + "IA" + up,
		"google-key":         "AI" + "za" + mix[:35],
		"google-token":       "ya" + "29." + mix,
		"google-secret":      "GOC" + "SPX-" + mix[:28],
		"huggingface-token":  "h" + "f_" + mix[:34],
		"npm-token":          "np" + "m_" + mix[:36],
		"pypi-token":         "py" + "pi-" + mix + mix,
		"digitalocean-token": "do" + "p_v1_" + hex + hex[:24],
		"sendgrid-key":       "S" + "G." + mix[:22] + "." + mix,
		"stripe-key":         "sk_" + "live_" + mix[:24],
		"stripe-secret":      "wh" + "sec_" + mix[:32],
		"jwt":                "ey" + "JhbGciOiJIUzI1NiJ9." + mix + "." + mix,
		"telegram-token":     "123456789" + ":AA" + mix[:33],
		"shopify-token":      "sh" + "pat_" + hex[:32],
		"databricks-token":   "da" + "pi" + hex[:32],
		"vault-token":        "hv" + "s." + mix[:24],
		"groq-key":           "gs" + "k_" + mix,
		"xai-key":            "xa" + "i-" + mix,
		"perplexity-key":     "pp" + "lx-" + mix,
		"replicate-token":    "r8" + "_" + mix[:37],
		"nvidia-key":         "nv" + "api-" + mix,
		"langsmith-key":      "ls" + "v2_pt_" + mix,
		"tavily-key":         "tv" + "ly-dev-" + mix,
		"linear-key":         "li" + "n_api_" + mix,
		"notion-token":       "nt" + "n_" + mix,
		"atlassian-token":    "AT" + "ATT3" + mix + mix,
		"grafana-token":      "gl" + "sa_" + mix,
		"sentry-token":       "sn" + "trys_" + mix,
		"docker-token":       "dc" + "kr_pat_" + mix[:27],
		"supabase-token":     "sb" + "p_" + hex,
		"postman-key":        "PM" + "AK-" + mix,
		"age-key":            "AGE-" + "SECRET-KEY-1" + strings.Repeat(up, 4)[:58],
		"email":              "jane.doe@corp-mail.example",
		"private-key":        "-----BEGIN RSA PRIVATE " + "KEY-----\n" + mix + mix + "\n" + mix + "\n-----END RSA PRIVATE " + "KEY-----",
	}
}

func decodeJSON(t *testing.T, text string, v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), v))
}

// nest returns text as a JSON string inside a JSON string inside a member.
func nest(text string, levels int) string {
	for range levels {
		b, _ := json.Marshal(map[string]string{"text": text})
		text = string(b)
	}
	return text
}

func redactAll(t *testing.T, unit string) (string, []Hit) {
	t.Helper()
	r := New(keyA)
	out, hits := r.Unit(nil, []byte(unit))
	checkHits(t, out, hits)
	again, hits2 := r.Unit(nil, out)
	require.Equal(t, string(out), string(again), "redacting twice changes nothing")
	require.Equal(t, hits, hits2)
	if jsontext.Value(unit).IsValid() {
		require.True(t, jsontext.Value(out).IsValid(), "JSON broken: %s", out)
	}
	other, hitsB := New(keyB).Unit(nil, []byte(unit))
	require.Equal(t, string(Canonical(nil, out, hits)), string(Canonical(nil, other, hitsB)),
		"the canonical form does not depend on the key")
	require.Equal(t, NewMasker().Mask(string(out)), NewMasker().Mask(string(other)))
	return string(out), hits
}

func checkHits(t *testing.T, out []byte, hits []Hit) {
	t.Helper()
	last := 0
	for _, h := range hits {
		require.GreaterOrEqual(t, h.Start, last)
		require.True(t, isPseudonym(out[h.Start:h.End]), "%s", out[h.Start:h.End])
		last = h.End
	}
}

func TestEveryKindInEveryPosition(t *testing.T) {
	positions := map[string]string{
		"alone":  "%s",
		"start":  "%s is it",
		"end":    "it is %s",
		"middle": "see (%s), then",
		"line":   "first\n%s\nlast",
		"tab":    "a\t%s\tb",
		"angle":  "<%s>",
		"equals": "x=%s y",
	}
	n, found := 0, 0
	for kind, secret := range planted() {
		for where, format := range positions {
			for levels := range 4 {
				n++
				unit := nest(fmt.Sprintf(format, secret), levels)
				out, hits := redactAll(t, unit)
				for line := range strings.SplitSeq(secret, "\n") {
					require.NotContains(t, out, line, "%s %s %d", kind, where, levels)
				}
				require.Len(t, hits, 1, "%s %s %d: %s", kind, where, levels, out)
				require.Equal(t, kind, hits[0].Kind, "%s %d", where, levels)
				found++
			}
		}
	}
	t.Logf("planted shapes: %d of %d found", found, n)
}

func TestInnocent(t *testing.T) {
	for _, unit := range []string{
		`{"usage":{"input_tokens":5,"max_tokens":4096,"token":null,"tokens":{"output":7}}}`,
		`{"usage":{"input_token":"512","password":null,"secret":false,"api_key":{}}}`,
		`{"logprobs":[{"token":"Hello","logprob":-0.1},{"token":" password","logprob":-1}]}`,
		`{"api_key":"<your key>","password":"${DB_PASSWORD}","secret":"$SECRET","x_token":"xxxxxxxx"}`,
		`{"password":"REDACTED","api_key":"[redacted]","client_secret":"********","auth_token":"YOUR_TOKEN"}`,
		`{"apiKeySource":"ANTHROPIC_API_KEY","tokenType":"bearer","credentials":"same-origin"}`,
		`{"code":"key = os.environ[\"API_KEY\"]\ntoken = get_token()\npassword: string;\nlogin(token=token)"}`,
		`{"code":"sorted(xs, key=lambda x: x.n)\nkey=sortKey\nPRIMARY KEY (id)\nprimary_key=True"}`,
		`{"code":"var tokenUsage = usage\n\tTokenUsage:   state.TokenUsage,\n\tToken: int64\n"}`,
		`{"code":"def hash_password(password):\n    return sha(password.encode())"}`,
		`{"code":"api_key=os.getenv('API_KEY'), password=args.password, token = self.token1\n"}`,
		`{"code":"if strings.HasPrefix(s, \"-----BEGIN RSA PRIVATE KEY-----\") {}"}`,
		`{"code":"tokenizer = AutoTokenizer.from_pretrained(\"Org/Model2-7B\")\nPASSWORD=$(cat f)"}`,
		`{"code":"headers={'Authorization': f'Bearer {token}'}\nh.Set(\"Authorization\", \"Bearer \"+tok)"}`,
		`{"text":"A Bearer token is sent in the Authorization: Bearer <token> header; basic authentication"}`,
		`{"text":"Use --password to set it, --token-file f, -u origin main, curl -u $USER:$PASS h"}`,
		`{"text":"password:","secret":"x"}`,
		`{"a":["the password","hello world 12"],"cookie":"none"}`,
		`{"text":"git@github.com:o/r.git noreply@corp.example 12+bot@users.noreply.github.com"}`,
		`{"text":"react@18.2.0 lodash@4.17.21 @types/node @app.route deploy@host: m@v1.2.3-rc.beta"}`,
		`{"text":"root@d79b2e8a9d06. 17f99139390c7af0@v1 icon@2x.png getty@tty1.service"}`,
		`{"text":"\n@app.route(\"/\")\nclass A"}`,
		`{"thinking":"x","signature":"EqQBCkYIBxgCKkDabc+def/ghi0123456789ABCDEFsk+eyJ+AKIA=="}`,
		`{"text":"task-list-item-checkbox-1 risk-assessment-2024-report desk-sk-eleton"}`,
		`{"css":"sk-loading-spinner-wrapper sk-fading-circle-12 pypi-index"}`,
		`{"id":"toolu_01AbCdEfGhIjKlMnOpQrStUv","uuid":"0b6e3c1e-0d0a-4a6b-9c6d-1f2e3d4c5b6a"}`,
		`{"next_page_token":"CAUQAA1b2c3d4e5f6","idempotency_key":"9f86d081884c7d659a2f","public_key":"ab12cd34ef56ab78"}`,
		`{"url":"http://localhost:8080/a@b","t":"12:30@noon","url2":"https://h/x?page=2&key=abc"}`,
		`{"password_file":"/run/secrets/db","SSH_KEY":"~/.ssh/id_rsa","private_key":"/etc/ssl/k.pem"}`,
		`{"label":{"password":"Enter your password:","token":"Access token"}}`,
		`{"t":"password must be long\npassword: must match\nPassword: ","pwd":"/home/me"}`,
		`{"t":"token: str = None, secret: Optional[str] = None\ntoken = resp.json()['token']\npassword: bytes32"}`,
		`{"t":"eos_token=\"<|endoftext|>\" next_token = tokens[1]; token == \"begin\"; TOKEN_KEY = 'auth_token'"}`,
		`{"t":"<input type=\"password\" name=\"password\" placeholder=\"Password\">"}`,
		`{"password":{"type":"string","description":"The password"},"required":["password","api_key"]}`,
		`{"t":"bearer main.go:42 password := risk- mysql -u root; docker run -u 1000:1000"}`,
		`{"t":"x[\"K\"] = \"<your-secret-access-key>\"\ntry:\n    work(1)\nhttps://<your-github-token>@github.com/o/r.git"}`,
		`{"t":"sk-ecdsa-sha2-nistp256 sk-ssh-ed25519-cert-v01 ftp://user:***@h PWD=/app OLDPWD=/srv /etc/passwd: root:x:0:0"}`,
		`{"t":"A_TOKEN = 0x0080\nB_KEY = -0x7\nghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx AKIAXXXXXXXXXXXXXXXX getpass(\"Password: \")"}`,
		`{"t":"log(\"secret: \"+name, 1); PostHogAPIKey = \"phc_development_key\"; grep -E \"PASSWORD=(.*)\""}`,
		`{"cookies":[],"auth":"none","auths":{"h":{"auth":"c29tZXRoaW5n"}},"pass":12,"max_password":64,"password":12}`,
		`{"t":"-----BEGIN [A-Z ]+ PRIVATE KEY-----\",\"output_mode\":\"content","eyJ":"eyJpZCI6NSwicGFnZSI6MTIzNDU2fQ"}`,
		`{"t":"ls -p x; mysql -p -u root; mkdir -pv a; curl -b jar.txt h; docker login -p; sshpass -p \"$PASS\" ssh h"}`,
		`{"t":"\u0041bc \\u0070assword","h":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"}`,
		`{"t":"API_KEY=sk-ant-api03-xxxxxxxx TOKEN=abcd**** SSH_KEY=/home/me/keys/work","u":"http://host:PORT/x@y"}`,
		`{"content":"cGFzc3dvcmQ6IGFzayB5b3VyIGFkbWluLCB0b2tlbiA9IGdldF90b2tlbigp","bytesValue":"AAECAwQFBgcICQoLDA0ODw=="}`,
		`plain text with no secret`, ``, `{`, `"`, `\`, `@`, `password`, `"password":`, `://`,
	} {
		t.Run(unit, func(t *testing.T) {
			out, hits := redactAll(t, unit)
			require.Empty(t, cmp.Diff(unit, out))
			require.Empty(t, hits)
		})
	}
}

func TestJoins(t *testing.T) {
	tok := planted()["github-token"]
	unit := []byte(`{"api_key":"` + tok + `","h":"Authorization: Bearer ` + tok + `","t":"` + tok + `"}`)
	out, hits := New(keyA).Unit(nil, unit)
	require.Len(t, hits, 3)
	for _, h := range hits {
		require.Equal(t, string(out[hits[0].Start:hits[0].End]), string(out[h.Start:h.End]))
	}
	require.Equal(t, `{"api_key":"«github-token»","h":"Authorization: Bearer «github-token»","t":"«github-token»"}`,
		string(Canonical(nil, out, hits)))
}

func TestMemory(t *testing.T) {
	r := New(keyA)
	clean := []byte(`{"text":"nothing to see, token=token","n":1}`)
	var out []byte
	require.Zero(t, testing.AllocsPerRun(100, func() { out, _ = r.Unit(nil, clean) }))
	require.Same(t, &clean[0], &out[0])

	dirty := []byte(`{"password":"hunter2hunter"}`)
	arena := append(make([]byte, 0, 256), "kept"...)
	out, hits := r.Unit(arena, dirty)
	require.Equal(t, `{"password":"«password»"}`, string(Canonical(nil, out, hits)))
	require.Equal(t, "kept", string(arena))
	require.Equal(t, `{"password":"hunter2hunter"}`, string(dirty), "src is not written to")
}

func TestFailsClosed(t *testing.T) {
	broken := New(keyA)
	broken.find = func([]byte) found { panic("broken") }
	endless := New(keyA)
	endless.find = func(b []byte) found { return found{spans: []span{{kind: "secret", end: len(b)}}} }
	for _, r := range []*Redactor{broken, endless} {
		for _, unit := range []string{`{"a":"private text"}`, "private text", ""} {
			out, hits := r.Unit(nil, []byte(unit))
			require.NotContains(t, string(out), "private")
			require.Len(t, hits, 1)
			require.Equal(t, "unreadable", hits[0].Kind)
			checkHits(t, out, hits)
			require.Equal(t, strings.HasPrefix(unit, "{"), jsontext.Value(out).IsValid())
		}
	}
}

func TestMask(t *testing.T) {
	m := NewMasker()
	const a, b, c = "«email:0123456789ab»", "«email:ba9876543210»", "«jwt:0123456789ab»"
	require.Equal(t, "x «email 1» «jwt 1» «email 2»", m.Mask("x "+a+" "+c+" "+b))
	require.Equal(t, "«email 2»«email 1»", m.Mask(b+a), "ordinals hold for the whole output")
	for _, same := range []string{"", "plain", "«email»", "«", "«email:", "«email:0123»", "«a b:0123456789ab»",
		"«email:0123456789AB»", "« guillemets »", "\xc2", "«email 1»"} {
		if same == "«email:" {
			require.Equal(t, "«email", m.Mask(same))
			continue
		}
		require.Equal(t, same, m.Mask(same))
	}
	require.Equal(t, "«email", m.Mask(a[:12]), "what is cut off loses its digits")
	require.Equal(t, "x «email…", m.Mask("x "+a[:14]+"…"))
}

func TestKey(t *testing.T) {
	a, b := Key{1}, Key{2}
	require.NotEqual(t, a.ID(), b.ID())
	require.Len(t, a.ID(), 16)

	file := filepath.Join(t.TempDir(), "key")
	require.NoError(t, os.WriteFile(file, []byte("0123456789abcde"), 0o600))
	_, err := LoadKey(file)
	require.ErrorContains(t, err, "want 16")
	require.NoError(t, os.WriteFile(file, []byte("0123456789abcdef"), 0o600))
	k1, err := LoadKey(file)
	require.NoError(t, err)
	k2, err := LoadKey(file)
	require.NoError(t, err)
	require.Equal(t, k1.ID(), k2.ID())
	_, err = LoadKey(file + ".none")
	require.ErrorIs(t, err, os.ErrNotExist)
}

// Text made to be read again and again must not take long: each of these is
// 1 MB, and with a quadratic check the test would time out.
func TestHostileIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 90 MB in one goroutine")
	}
	full, err := New(keyA).With(Rules{Personal: true, Patterns: []string{"x=[0-9a-f]{4}-"}})
	require.NoError(t, err)
	for _, part := range []string{"sk-", "eyJ-", "eyJa.", "token=", `"token":"`, `password='`, "AKIA", "@", "a@", "a.", "://", "://a:", "://a@",
		"-----BEGIN PRIVATE KEY-----", " curl -u ", "-u a:", "«", "«a:", `\`, `\"`, "Bearer ", "Cookie: a=", "pypi-", ":AA", "password: ", `password="\`,
		"set-cookie\":[\"", "key-", "a@b.", "Authorization: ", "1", `"token","value":`, " mysql -p", `"cookies":[{`, `"cookies":[{"`, "eyJ+", "LS0tLS1CRUdJTi+", "ewog/",
		"sig=", "_auth=", `"auth":"`, "%3A%2F%2F", ":thin:a/", ":@tcp(", "Private-Lines:", `"password",`, `"password","a":1,`, "password%22", "password&quot;", `password\u0022`, `password\u0022:\u0022`,
		"password is ", "name: password\\nvalue: ", "password: |\\n", "API_KEY:[", "AKIAQ7RT2XKLM4WZN3PA ",
		"/home/", "C:\\\\Users\\\\", "1-", "+1 ", "AB12", "(555) ", "2a02::", "\\u0041", `\\u0022`, "cGFzc3dvcmQ9", "cGFz", `cGFz\/`, "cGFzc3dvcmQ9cGFzc3dvcmQ9cGFzc3dvcmQ9cGFzc3dvcmQ9\\n", `"bytesValue":"cGFzc3dvcmQ9`, "://a:/", "_auth=cGFz/", `"\"`, "[{", "password\\u0026quot;"} {
		unit := bytes.Repeat([]byte(part), 1<<20/len(part))
		New(keyA).Unit(nil, unit)
		full.Unit(nil, unit[:len(unit)/4])
	}
}

// TestCorpus counts hits on real traces; FAULTLINE_CORPUS names their folder.
func TestCorpus(t *testing.T) {
	root := os.Getenv("FAULTLINE_CORPUS")
	if root == "" {
		t.Skip("FAULTLINE_CORPUS is not set")
	}
	r, kinds, total := New(keyA), map[string]int{}, 0
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		total += len(b)
		for unit := range bytes.SplitSeq(b, []byte("\n")) {
			out, hits := r.Unit(nil, unit)
			checkHits(t, out, hits)
			again, _ := r.Unit(nil, out)
			require.Equal(t, string(out), string(again))
			require.Equal(t, jsontext.Value(unit).IsValid(), jsontext.Value(out).IsValid(), "%s", path)
			for _, h := range hits {
				kinds[h.Kind]++
			}
			if testing.Verbose() && len(hits) > 0 {
				for _, f := range findSecrets(unit).spans {
					if f.kind != "email" {
						t.Logf("%s %s: …%q", filepath.Base(path), f.kind, unit[max(0, f.start-40):min(len(unit), f.end+10)])
					}
				}
			}
		}
		return nil
	})
	require.NoError(t, err)
	t.Logf("%d bytes: %v", total, kinds)
	others := 0
	for kind, n := range kinds {
		if kind != "email" {
			others += n
		}
	}
	require.Less(t, others, 1+total/100_000, "real traces hold next to no secret: %v", kinds)
}
