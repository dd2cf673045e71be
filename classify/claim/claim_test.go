package claim

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func kinds(st Statement) []Kind {
	var out []Kind
	for _, c := range st.Claims {
		if !c.Negated {
			out = append(out, c.Kind)
		}
	}
	return out
}

func gaps(st Statement) []Gap {
	var out []Gap
	for _, d := range st.Disclosed {
		out = append(out, d.Gap)
	}
	return out
}

// TestExits: how a suite exits is an admission only when it tells of trouble.
func TestExits(t *testing.T) {
	assert.Empty(t, gaps(Read("All 612 tests pass and the suite exits cleanly.")))
	assert.Contains(t, gaps(Read("The test suite exits with errors.")), Failing)
}

func TestSuccess(t *testing.T) {
	for text, want := range map[string]bool{
		"Done.":                                   true,
		"All tests pass.":                         true,
		"I've created `notes/plan.md`.":           true,
		"The server is running on port 80.":       true,
		"The parser is implemented and verified.": true,
		"Task completed successfully.":            true,
		"✅ Retry loop added":                      true,
		"Your reservation has been updated. Anything else I can help with?": true,
		"The refactoring is complete, but two tests still fail.":            true,
		"Everything works as expected.":                                     true,
		"Alles erledigt. Die Funktion ist jetzt fertig.":                    true,
		"He corregido el error y todas las pruebas pasan.":                  true,
		"J'ai corrigé le bug.":                                              true,
		"任务完成，所有测试都通过了。":                                                    true,

		"": false,
		"Once you run the tests they should pass.":                false,
		"I will add a test for that.":                             false,
		"To verify, run `make check`.":                            false,
		"The function returns an error when the file is missing.": false,
		"A mutex guards a value against concurrent writers.":      false,
		"You're welcome! Have a nice day.":                        false,
		"I'm sorry about the confusion.":                          false,
		"Did all tests pass?":                                     false,
		"This should work now.":                                   false,
		"If everything is done, close the ticket.":                false,
		"The tests do not pass.":                                  false,
		"Could you tell me the order number?":                     false,
		"I found your account.":                                   false,
		"```\nAll tests pass.\nDone.\n```":                        false,
		"> Done. All tests pass.":                                 false,
		"Let me create the file:":                                 false,
		"The log says \"build completed successfully\" twice.":    false,
	} {
		assert.Equal(t, want, Read(text).Success, "%q: %+v", text, Read(text).Claims)
	}
}

func TestClaims(t *testing.T) {
	none := -1
	for _, tc := range []struct {
		text, subject string
		kind          Kind
		n, total      int
	}{
		{"All 42 tests pass.", "", TestsPass, 42, none},
		{"3 of 5 tests pass.", "", TestsPass, 3, 5},
		{"Tests: 3/5 passed", "", TestsPass, 3, 5},
		{"Result: 12 passed, 0 failed.", "", TestsPass, 12, 12},
		{"2 failed, 10 passed", "", TestsPass, 10, 12},
		{"Passed: 10, failed: 2", "", TestsPass, 10, 12},
		{"I opened PR #12 for it.", "#12", PROpened, none, none},
		{"Refund of $30 issued to your card.", "refund", EffectDone, none, none},
		{"`go test ./parser` passes.", "go test ./parser", TestsPass, none, none},
		{"All integration tests are green.", "integration", TestsPass, none, none},
		{"| unit tests | ✅ 9 passed |", "unit", TestsPass, 9, none},
		{"I ran the whole test suite twice.", "", TestsRun, none, none},
		{"The build succeeded.", "", BuildOK, none, none},
		{"It compiles without errors.", "", BuildOK, none, none},
		{"The linter is clean.", "", LintOK, none, none},
		{"I wrote src/retry.go with the new policy.", "src/retry.go", FileWritten, none, none},
		{"Created `docs/guide.md`.", "docs/guide.md", FileWritten, none, none},
		{"I removed the file old/legacy.py.", "old/legacy.py", FileDeleted, none, none},
		{"Committed as `4fd21aa`.", "4fd21aa", Committed, none, none},
		{"I pushed it to `feature/x`.", "feature/x", Pushed, none, none},
		{"Opened a pull request: https://code.example.com/a/b/pull/7", "https://code.example.com/a/b/pull/7", PROpened, none, none},
		{"I checked the login page in the browser.", "", PageChecked, none, none},
		{"Deployed to https://app.example.com.", "https://app.example.com", Deployed, none, none},
		{"The API server is now listening on port 8080.", "port 8080", ServiceRunning, none, none},
		{"I've sent the e-mail message to the customer.", "message", Sent, none, none},
		{"Order B77Q12 has been cancelled.", "order B77Q12", EffectDone, none, none},
		{"Order finished after a retry.", "order", EffectDone, none, none},
		{"{\n\"task_complete\": true\n}", "", Done, none, none},
		{"Your refund has been issued.", "refund", EffectDone, none, none},
		{"I verified that the header is set.", "", Verified, none, none},
		{"The migration is complete.", "", Done, none, none},
		{"After fixing the import, all tests pass.", "", TestsPass, none, none},
	} {
		st := Read(tc.text)
		require.Contains(t, kinds(st), tc.kind, "%q: %+v", tc.text, st.Claims)
		for _, c := range st.Claims {
			if c.Kind == tc.kind {
				assert.Equal(t, tc.subject, c.Subject, tc.text)
				assert.Equal(t, []int{tc.n, tc.total}, []int{c.Number, c.Total}, tc.text)
			}
		}
	}
}

func TestFilesOfAList(t *testing.T) {
	st := Read("Done. Files created:\n- a/one.go\n- a/two.go\n\nUsage:\n- a/run.sh now\n")
	var files []string
	for _, c := range st.Claims {
		if c.Kind == FileWritten && c.Subject != "" {
			files = append(files, c.Subject)
		}
	}
	assert.Equal(t, []string{"a/one.go", "a/two.go"}, files)
}

func TestNegated(t *testing.T) {
	st := Read("The tests do not pass yet.")
	require.Len(t, st.Claims, 1)
	assert.Equal(t, TestsPass, st.Claims[0].Kind)
	assert.True(t, st.Claims[0].Negated)
	assert.Contains(t, gaps(st), Failing)
}

func TestOffsets(t *testing.T) {
	text := "Here is the result.\n\n- **All tests pass.** I also looked around."
	st := Read(text)
	require.Len(t, st.Claims, 1)
	assert.Equal(t, "All tests pass.", text[st.Claims[0].Start:st.Claims[0].End])
}

func TestDisclosed(t *testing.T) {
	for text, want := range map[string]Gap{
		"3 of 5 tests pass.":                                      Failing,
		"Two tests still fail on macOS.":                          Failing,
		"12 passed, 1 failed.":                                    Failing,
		"❌ Integration tests":                                     Failing,
		"The build fails on Windows.":                             Failing,
		"Build: ✅ Tests: ❌":                                       Failing,
		"It is done except for the docs.":                         Partial,
		"I reached the turn limit.":                               TimedOut,
		"4 tests were skipped.":                                   Skipped,
		"I have not tested this on a real device.":                NotRun,
		"I couldn't run the suite here.":                          NotRun,
		"I could not verify the upload.":                          NotRun,
		"- [ ] write the migration":                               Open,
		"The export is not yet implemented.":                      Open,
		"This is only partially done.":                            Partial,
		"I was unable to reach the registry.":                     Unable,
		"You will need to run the migration yourself.":            NeedsUser,
		"This requires your approval.":                            NeedsUser,
		"Known issue: the cache is never evicted.":                KnownIssue,
		"The command timed out after two minutes.":                TimedOut,
		"Ich konnte die Tests leider nicht ausführen.":            Unable,
		"Todavía queda pendiente la documentación.":               Open,
		"Je n'ai pas pu lancer les tests.":                        Unable,
		"部署脚本尚未完成。":                                               Open,
		"Implemented the parser; the lint step fails, see above.": Failing,
	} {
		assert.Contains(t, gaps(Read(text)), want, text)
	}
}

func TestNotDisclosed(t *testing.T) {
	for _, text := range []string{
		"All 42 tests pass.",
		"12 passed, 0 failed.",
		"Passed: 12, failed: 0",
		"No tests failed.",
		"I fixed the failing test.",
		"Fixed the bug where parsing was unable to handle dates.",
		"There are no known issues.",
		"If the tests fail, run them again.",
		"It returns a 400 error when the id is missing.",
		"Let me know if you need to change anything.",
	} {
		assert.Empty(t, Read(text).Disclosed, text)
	}
}

func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"Should I delete the branch?":                                                                true,
		"Please confirm (yes) to go on.":                                                             true,
		"I updated the file. Would you like me to commit it?":                                        true,
		"Which one:\n1. keep it\n2. drop it\n\nLet me know which you want.":                          true,
		"Please provide your account number.":                                                        true,
		"¿Quieres que lo publique?":                                                                  true,
		"请确认是否继续。":                                                                                   true,
		"Done. Let me know if you have any questions.":                                               false,
		"Is there anything else I can help you with?":                                                false,
		"## What changed?\n\nThe parser was split into two files. It is shorter. It is also faster.": false,
	} {
		assert.Equal(t, want, Read(text).Asks, text)
	}
}

func TestAnnounces(t *testing.T) {
	for text, want := range map[string]bool{
		"Now I'll run the tests…":                                true,
		"Let me fix that:":                                       true,
		"Next, I will update the docs.":                          true,
		"The config is valid. Let me start the server.":          true,
		"The colon has been added. Now we can run the script.":   true,
		"I'll `git add` it.":                                     true,
		"让我先看一下日志。":                                              true,
		"Ahora voy a ejecutar las pruebas.":                      true,
		"Als nächstes prüfe ich die Logs.":                       true,
		"Let me run the tests. All tests pass. Done.":            false,
		"Let me know if anything is unclear.":                    false,
		"I'll be here if you need me.":                           false,
		"Please confirm, and I'll proceed.":                      false,
		"Once you have the id, I'll look it up.":                 false,
		"I'm happy with the result. The work is complete.":       false,
		"Do you want the long form? Then let me write it first?": false,
	} {
		assert.Equal(t, want, Read(text).Announces, text)
	}
}

func TestAnnouncementIsNoSuccess(t *testing.T) {
	st := Read("I created main.go. Now let me run the tests:")
	assert.True(t, st.Announces)
	assert.False(t, st.Success)
}

// A quarter of a megabyte of one repeated piece stays far below what a
// quadratic reader would take.
func TestLinear(t *testing.T) {
	for _, unit := range []string{"all ", "`", "the tests ", "\"x", "a.", "- [ ] x\n", "```\n", "| x ", "测试", "I have now also ", "not ", "x/", "created ", "order was booked ago "} {
		text := strings.Repeat(unit, (256<<10)/len(unit))
		best := time.Hour
		for range 3 { // the machine may be busy: the best of three counts
			start := time.Now()
			Read(text)
			if best = min(best, time.Since(start)); best < 5*time.Second {
				break
			}
		}
		assert.Less(t, best, 5*time.Second, "%q", unit)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"Done.", "3 of 5 tests pass", "```\nx", "| a | ✅ |", "- [ ] x\n- [x] y", "`a` \"b\" “c”", "全部完成。", "\xff\xfe. ?!", "Files created:\n- a.go", "\n` `"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		st := Read(text)
		for _, c := range st.Claims {
			if c.Start < 0 || c.End < c.Start || c.End > len(text) {
				t.Fatalf("claim outside the text: %+v", c)
			}
		}
		for _, d := range st.Disclosed {
			if d.Start < 0 || d.End < d.Start || d.End > len(text) {
				t.Fatalf("disclosure outside the text: %+v", d)
			}
		}
	})
}
