package rules

import (
	"strconv"
	"strings"

	"github.com/faultline-dev/faultline/classify"
	"github.com/faultline-dev/faultline/classify/phrase"
)

// What runners and assertion libraries call things. A new ecosystem is a new
// alternative.
var (
	skipMarks = phrase.MustCompile(`\.(skip|todo|fixme|skipIf|failing|fails)\b|\b(xit|xdescribe|xtest|xcontext|xspecify|xfail|skipTest|markTestSkipped|markTestIncomplete|test_skip|pending)\b|@?(pytest\.mark\.skip|pytest\.skip|unittest\.skip|nottest)|@(Disabled|Ignore|Skip)\b|\bt\.Skip|\bb\.Skip|#\[ignore|\bskip\s*\(|@tag :skip|\[(Ignore|Skip)\b|Skip\s*=|Assume\.|assumeTrue|GTEST_SKIP|DISABLED_|@skip\b|@wip\b`)
	testDecls = phrase.MustCompile(`(?m)\bdef test|\b(it|test|specify|scenario|describe|context)(\.each)?\s*[("'` + "`" + `]|\bfunc (Test|Fuzz)|#\[(\w+::)*test|@(Parameterized|Repeated)?Test\b|\bTEST(_F|_P)?\(|^\s*Scenario\b|\bpublic function test|\[(Fact|Theory|Test|TestMethod)\b`)
	asserts   = phrase.MustCompile(`(?i)\bassert\w*\b|\bexpect\w*\s*[(.]|\bshould\b|\brequire\.\w+|\bt\.(Error|Errorf|Fatal|Fatalf|Fail|FailNow)\b|\b(ASSERT|EXPECT|CHECK|REQUIRE)_?\w*\(|\brefute\b|\bmust_\w+|\bpanic!|^\s*Then\b`)
	exact     = phrase.MustCompile(`==|\b(toBe|toEqual|toStrictEqual|toMatchObject|toThrowError|toHaveBeenCalledWith|toHaveLength|assertEquals?|assertSame|assert_eq!?|assert_equal|Equal|EqualValues|Exactly|eq|eql|deepEqual|strictEqual|deepStrictEqual|isEqualTo|EXPECT_EQ|ASSERT_EQ|assertDictEqual|assertListEqual)\b`)
	vague     = phrase.MustCompile(`>=|<=|!=|\b(toBeTruthy|toBeDefined|toBeInstanceOf|toContain|toBeGreaterThan\w*|toBeLessThan\w*|anything|any|assertTrue|assertIsNotNone|assertNotNull|assertIn|NotNil|NotEmpty|NotNull|Contains|isNotNull|be_truthy|not_to be_nil|include|isinstance|toHaveBeenCalled|ok|EXPECT_TRUE|ASSERT_TRUE)\b|\bis not None\b`)
	trivial   = phrase.MustCompile(`(?i)\bassert(True)?\s*\(?\s*true\b|\bexpect\(\s*true\s*\)|\bassert\s+1\b|assert!\(true\)|\.True\(t, true\)`)
	excluding = phrase.MustCompile(`(?i)exclu|ignor|\bskip|deselect|omit|disabl|allow_?fail|continue-on-error|norecursedirs|passWithNoTests|exit-zero|\|\| *true|["']?off["']?\s*[,\]}]|: *(0|"off"|'off'|off)\b|-not\b|-m ["']?not|-k ["']?not|quarantin`)
)

// tolerances name a number that says how far a result may be off; of minimums
// a lower number asks for less.
var (
	tolerances = phrase.MustCompile(`(?i)\b(abs|rel|r?a?tol|delta|eps(?:ilon)?|tolerance|max_?diff\w*|diff_?threshold|threshold|within|timeout|retries|max_?warnings|allowed?_?\w*|failure_?threshold|pixelratio|be_within|closeTo|approximately|InDelta|InEpsilon|isclose|allclose)\b["']?\s*(?:[=:(,]|\s)\s*(?:[^()\n]*,\s*)?(\d+(?:\.\d+)?(?:e-?\d+)?)`)
	minimums   = phrase.MustCompile(`(?i)\b(lines|branches|functions|statements|fail_?under|min(?:imum)?\w*|places|num_?digits|coverage|toBeCloseTo|assertAlmostEqual)\b["']?\s*(?:[=:(,]|\s)\s*(?:[^()\n]*,\s*)?(\d+(?:\.\d+)?(?:e-?\d+)?)`)
)

// weakened tells how an edit of a test, its configuration or its baseline asks
// for less than before, "" when it does not.
func weakened(s classify.Swap, file string) string {
	before, after := code(s.Old), code(s.New)
	count := func(re *phrase.Pattern) int {
		return len(re.FindAllStringIndex(after, -1)) - len(re.FindAllStringIndex(before, -1))
	}
	gone := lineEdit(before, after)
	switch {
	case isCheckConfig(file) && addsLine(excluding, before, after):
		return "excluded"
	case isTestFile(file) && count(skipMarks) > 0:
		return "skipped"
	case isTestFile(file) && count(testDecls) < 0 && gone == onlyGone:
		return "removed"
	case isTestFile(file) && count(asserts) < 0 && count(testDecls) <= 0 && gone != rewritten:
		return "assertion removed"
	case isTestFile(file) && count(trivial) > 0,
		isTestFile(file) && count(exact) < 0 && count(vague) > 0:
		return "assertion loosened"
	case moved(tolerances, before, after) > 0 || moved(minimums, before, after) < 0:
		return "tolerance"
	}
	return ""
}

// What an edit does to the lines of a text: it only takes some away, it changes
// as many as it puts back, or it writes them anew, which tells nothing.
const (
	rewritten = iota
	onlyGone
	lineByLine
)

func lineEdit(before, after string) int {
	count := map[string]int{}
	lost, added := 0, 0
	for line := range strings.Lines(before) {
		if line = strings.TrimSpace(line); line != "" {
			count[line]++
			lost++
		}
	}
	for line := range strings.Lines(after) {
		switch line = strings.TrimSpace(line); {
		case line == "":
		case count[line] > 0:
			count[line]--
			lost--
		default:
			added++
		}
	}
	switch {
	case added == 0:
		return onlyGone
	case added == lost:
		return lineByLine
	}
	return rewritten
}

// code drops the lines that are comments, so that what is commented out is
// gone.
func code(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "//") || strings.HasPrefix(t, "# ") || strings.HasPrefix(t, "/*") || strings.HasPrefix(t, "--") || strings.HasPrefix(t, "<!--") {
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// addsLine reports a line after the edit that matches and was not there before.
func addsLine(re *phrase.Pattern, before, after string) bool {
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if re.MatchString(line) && !strings.Contains(before, line) && len(line) > len(lineWith(re, before)) {
			return true
		}
	}
	return false
}

// lineWith is the first line that matches.
func lineWith(re *phrase.Pattern, s string) string {
	for line := range strings.Lines(s) {
		if re.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// moved compares the number behind the same word before and after: 1 when it
// grew, -1 when it shrank.
func moved(re *phrase.Pattern, before, after string) int {
	was := map[string]float64{}
	for _, m := range re.FindAllStringSubmatch(before, -1) {
		if _, ok := was[m[1]]; !ok {
			was[m[1]] = numberOf(m[2])
		}
	}
	for _, m := range re.FindAllStringSubmatch(after, -1) {
		old, ok := was[m[1]]
		switch now := numberOf(m[2]); {
		case !ok:
		case now > old:
			return 1
		case now < old:
			return -1
		}
	}
	return 0
}

func numberOf(s string) float64 {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return n
}
