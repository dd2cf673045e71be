// Package audit asks of every closing claim what stands behind it.
//
// A claim is what an accepted episode ended with: that the work is done, that
// tests pass, that a file was written, a commit made, an order placed. Its
// Standing is the best that the thread's own events, records and an
// independent grader say of it:
//
//	verified       shown on the state that was accepted
//	stale          shown, and the state changed after it
//	masked         the exit status that was read is not the check's
//	contradicted   the last result, or a grader, denies it
//	self-authored  shown only by a check that the episode wrote itself
//	not run        the check executed nothing
//	absent         nothing of its kind happened
//	cannot tell    the source does not show it
//
// What a rule found stands above what is worked out here, so that an audit
// never says another thing than a verdict. An answer to a question changed
// nothing and claims nothing that could be verified; it is left out.
package audit
