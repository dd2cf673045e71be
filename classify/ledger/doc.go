// Package ledger shows the effect ledger of a run: the writes outside the
// workspace that it dispatched, what became of each, and at which level the
// source could see. The ledger itself is read by package classify.
package ledger
