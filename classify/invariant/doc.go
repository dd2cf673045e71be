// Package invariant finds where a run breaks what its owner says must hold:
// the invariants of faultline.yaml.
//
// An invariant speaks of calls as the thread shows them, executions of main
// runs and sub-agents alike, so that it does not depend on format or harness.
// A call that was denied or rejected did not happen. Durations are those of
// named spans; a span that is absent was not measured, and what was not
// measured does not hold.
package invariant
