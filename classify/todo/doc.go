// Package todo reads the lists by which agents keep track of what is open: the
// todo and plan tools of harnesses, feature lists with a member that says
// whether each passes, and Markdown check lists in files.
//
// It only reads. Which list was in force when, and what changed between two of
// them, is found by package classify.
package todo
