package gentrace

import (
	"math/rand/v2"
	"strings"
)

// The words that text is made of; a word stands the nearer to the front the
// more often it is drawn.
var words = strings.Fields(`the to a of in is that it for with this be on not as are we from when by
error file return test value string if func err nil context name data list key path state result call user
request response config line index type node cache server client handler service order store queue parse
token buffer stream event message payload schema query table column row batch worker retry timeout limit
should must before after because already still only each every first last next same other missing empty
update create delete insert remove replace check verify build run read write open close start stop load
function method field struct interface module package import export default option argument parameter
change branch commit merge diff patch version release deploy migrate rollback feature flag session login
customer invoice payment refund address delivery account balance currency amount total price tax discount
renders component button layout style theme hook effect reducer action selector props children router page
failing passing expected actual received assertion fixture snapshot coverage regression flaky stable slow
header footer cookie origin proxy gateway cluster replica shard leader follower quorum snapshot log segment
offset partition consumer producer topic broker metric gauge counter histogram trace span sample exporter
allocate release acquire mutex channel select goroutine thread process signal socket listener accept bind
encode decode marshal compress checksum digest signature verify encrypt certificate issuer subject expiry
however therefore instead otherwise unless although whether whenever likewise moreover perhaps probably`)

// shapes are the lines of text, in JSON's escaping: W stands for a word, V for
// a name made of two, N for a number.
var shapes = []string{
	`\tif err := V(W, W); err != nil {`, `\t\treturn fmt.Errorf(\"W W W: %w\", err)`, `\t}`, ``,
	`func (s *V) V(ctx context.Context, W V) (*V, error) {`, `\tW := make([]V, 0, len(W))`, `}`,
	`\tfor _, W := range s.W {`, `\t\tW = append(W, V{W: W.V, W: N})`, `// V W the W W of W W, W W W W.`,
	`\tassert.Equal(t, N, V(W).W, \"W W\")`, `const V = N`, `import { V, V } from './W/W';`,
	`  const W = await V.W(W, { W: N, W: 'W' });`, `  if (!W.V) throw new V('W W W');`, `W W W W W W W W W W.`,
	`- W W W W W, W W W W W W.`, `    \"W\": {\"V\": N, \"W\": \"W W\"},`, `    def W_W(self, W, W=None):`,
	`        self.W = W.V(W, N)`, `W/W/V.go:N:N: W W W W`, `--- PASS: TestV (0.NNs)`, `ok  \texample.org/W/W\t0.NNNs`,
	`N. W W W: W W W W W.`, `drwxr-xr-x  N W W  N Jan  N 10:N W_W`, `WARN W W W=N W=W W=V`,
}

// text makes text in which lines come back as they do in the files of one
// project: a line is new, or the next of a run of lines seen before.
type text struct {
	r      *rand.Rand
	lines  []string
	at     int // next line of the run under way
	ahead  int // how many lines of it are left
	secret int // lines until the next secret
}

// poolSize is how many lines a project has to be read again.
const poolSize = 4000

func newText(r *rand.Rand) *text {
	t := &text{r: r, secret: 40}
	for range poolSize {
		t.lines = append(t.lines, t.line())
	}
	return t
}

// word draws from the front of the list more often than from its back.
func (t *text) word() string {
	f := t.r.Float64()
	return words[int(f*f*float64(len(words)))]
}

func (t *text) name() string {
	a, b := t.word(), t.word()
	return strings.ToUpper(a[:1]) + a[1:] + strings.ToUpper(b[:1]) + b[1:]
}

// line makes a new line.
func (t *text) line() string {
	var b strings.Builder
	shape := shapes[t.r.IntN(len(shapes))]
	for i := range len(shape) {
		switch c := shape[i]; {
		case c == 'W' && !strings.HasPrefix(shape[i:], "WARN"):
			b.WriteString(t.word())
		case c == 'V':
			b.WriteString(t.name())
		case c == 'N':
			b.WriteByte(byte('0' + t.r.IntN(10)))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// append adds about n bytes of text to dst, ready to stand in a JSON string.
func (t *text) append(dst []byte, n int) []byte {
	for end := len(dst) + n; len(dst) < end; {
		dst = append(append(dst, t.next()...), `\n`...)
		if t.secret--; t.secret == 0 {
			dst = t.leak(dst)
			t.secret = 2000 + t.r.IntN(6000)
		}
	}
	return dst
}

// next goes on with the run under way or begins one elsewhere. Half of the
// lines has changed since they were seen.
func (t *text) next() string {
	if t.ahead == 0 {
		t.at, t.ahead = t.r.IntN(len(t.lines)), 1+t.r.IntN(maxRun)
	}
	if t.r.IntN(2) == 0 {
		t.lines[t.at] = t.line()
	}
	line := t.lines[t.at]
	t.at, t.ahead = (t.at+1)%len(t.lines), t.ahead-1
	return line
}

// maxRun is how many lines at most are read in a row.
const maxRun = 3

// leak adds an e-mail address or a token that was never valid.
func (t *text) leak(dst []byte) []byte {
	if t.r.IntN(3) > 0 {
		dst = append(dst, "Signed-off-by: "+t.name()+" <"+t.word()+"."+t.word()+`@mail.example.org>\n`...)
		return dst
	}
	return append(t.random(append(dst, "export GITHUB_TOKEN=ghp_"...), 36), `\n`...)
}

// random adds n letters and digits, as in base64.
func (t *text) random(dst []byte, n int) []byte {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	for range n {
		dst = append(dst, digits[t.r.IntN(len(digits))])
	}
	return dst
}
