// Package expect says what a case demands of a run and grades it.
//
// An Expect is one invariant, written by a person or proposed for one and
// approved by a person:
//
//	rule-silent      RULE does not fire (with FINGERPRINT, where one is given)
//	exactly-once     the effect of CALL happens, and never twice for equal SAME arguments
//	at-most          at most N calls of CALL with equal SAME arguments
//	never            no call of CALL
//	before           no call of CALL without an earlier ok REQUIRE on the same SAME arguments
//	argument-equals  ARGUMENT of CALL is EQUALS
//	not-accepted     the work is not accepted while CHECK is not proven on it
//	no-repeat        after a boundary no call of CALL that was done before it
//	stop             nothing is asked of the model or called after a provider's stop
//	routed-to-review the work ends in a person's review
//	denied           CALL is denied, not executed
//
// It is graded over Acts: what was done, in order, by whoever saw it. The acts
// of a stored run come from its events; those of a replay from the world's own
// ledger, which knows what really happened. One grader serves both, so that a
// case means the same in `regress check` and in `replay`.
//
// An invariant is stricter than a rule: it knows no excuse. It says what a
// reviewer demands of this case's task, where a rule judges any task.
//
// A grade is one of three. What the acts cannot show is CannotTell, never
// Held: a run whose log does not record acceptance is not proof that nothing
// was accepted.
package expect
