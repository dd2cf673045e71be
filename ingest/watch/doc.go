// Package watch says which files below some folders have something new to
// read, while agents go on writing them.
//
//	fsnotify events ─┐
//	a walk now and then ─┴─▶ changed files ─▶ quiet for Settle, or changing for Every ─▶ Next
//
// Events come quickly but can be lost: a folder that appears together with its
// files, a queue that overflows, a network drive. So the tree is walked as well,
// and a file whose size or time differs from what was last seen is changed. What
// was missed by the one is found by the other.
//
// A file that was truncated or replaced, or that came by a rename (a rotated
// log), is a changed file like any other. Reading goes by content: units that
// were read before are known, and what a truncation removed stays in the store.
// What was written and removed again between two readings is never seen.
// That a file which only grew is not read again from its beginning, and that a
// half-written line waits, is package scan's concern (scan.Growing).
package watch
