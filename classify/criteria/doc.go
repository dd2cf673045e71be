// Package criteria reads sprint contracts: documents in which a planner or an
// evaluator writes down, before the work, what done means and which check
// proves it.
//
// [Read] takes the text of a file or a message and returns its criteria with
// the check that each names, whether it is JSON, YAML, a Markdown table or a
// list whose items end in "Check: …". The text is hostile data of any size and
// is read in linear time; headings and labels stand in tables, English first
// and other languages beside it.
package criteria
