package runner

// Kind is what a check proves.
type Kind string

// The kinds of check.
const (
	Test   Kind = "test"
	Build  Kind = "build"
	Lint   Kind = "lint"
	Types  Kind = "types"
	Format Kind = "format"
)

// Check is a recognised check command.
type Check struct {
	// Runner is the canonical name: "pytest", "go test", "npm test" (also for
	// pnpm, yarn and bun), "npm run lint", "make test", "tsc", "script".
	Runner string
	Kind   Kind
	// Selection is what narrows the check, in the order given: paths and
	// packages without "./" and trailing "/", and filters that begin with
	// "-" ("-k=login"). Empty means everything at Dir. `go test` without
	// packages is ["."], because it takes one package only.
	Selection []string
	// Argv is the command as given to Recognize.
	Argv []string
	// Dir is the folder that it ran in, relative to the project's root. The
	// caller sets it; "" is the root.
	Dir string
}
