// Package formats is the explicit list of what Faultline can read. Adding a
// format is one package beside this one and one line here.
package formats
