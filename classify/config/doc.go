// Package config reads faultline.yaml: what the owner of a repository says
// about it, and so what the rules may hold a run to.
//
//	checks:       required before work counts as done
//	candidate:    globs of the files that can belong to the work
//	protected:    globs of the files that nobody may change without approval
//	permissions:  what is denied, and where may be written
//	contracts:    what tools do, as contract/v1 records
//	trusted:      servers whose annotations count
//	invariants:   what must hold in every run
//	rules:        rules that are off, or have another severity
//	waivers:      findings that are known and accepted for a time
//	lookups:      how the lines of a service's log tell of operations
//
// What a person rejected of what was found stands in a file of its own beside it,
// faultline.rejected.yaml (Rejections).
//
// The nearest file above a run's main file governs it. Globs are slash paths
// relative to the run's working directory, * inside a segment, ** for any
// number of segments. An unknown key is an error, because a misspelt one would
// silently require nothing.
package config
