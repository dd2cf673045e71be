// Package emit writes a case as a Go test for the repository of the harness.
//
//	case with a script ─▶ faultline_RULE_ID_test.go      the test, written anew each time
//	                      faultline_harness_test.go      how the harness is started; yours to edit
//	                      testdata/faultline/CASE.txtar  the case as it is
//
// The test plays the case through the public packages of Faultline, with the
// harness as a program: it fails while the harness repeats the failure and
// passes once it does not. It needs Faultline as a requirement of the module and
// as a tool, because a harness's tools are stood in for by the faultline
// program; Require is the command that adds both.
package emit
