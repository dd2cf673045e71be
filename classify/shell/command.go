package shell

// Command is one simple command of a shell text, with everything that
// surrounds it taken into account.
type Command struct {
	// Argv holds the words after quote removal with wrappers and directory
	// flags (make -C, git -C, npm --prefix) peeled off. It is never empty: a
	// redirect without a command is ":". A word with an expansion that could
	// not be resolved keeps the expansion's source text.
	Argv []string
	// Raw is Argv before anything was peeled.
	Raw []string
	// Dynamic is set when a word holds an unresolved expansion, or when
	// arguments come from elsewhere (xargs).
	Dynamic bool
	// Env holds the NAME=value prefixes, those of env and cross-env included.
	Env []string
	// Dir is where it runs, relative to where the text started; "" is there.
	// It may be absolute, start with "~" or hold an expansion.
	Dir string
	// Stdin is the body of a here-document or here-string.
	Stdin string
	// StdinFile is the file of `< file`, as written.
	StdinFile string
	// Writes holds the targets of >, >|, &> and <>; Appends those of >> and
	// &>>. Both leave out /dev/ files and copies of descriptors.
	Writes, Appends []string
	// Wrappers names what was peeled, outermost first: "sudo", "npx",
	// "python -m", "docker exec", "bash -c".
	Wrappers []string
	// Host is the container, pod or machine of docker, kubectl and ssh; ""
	// is the machine of the text.
	Host string
	// Pipe is the position in the pipeline, from 0; PipeLen its length, 1
	// for a command that stands alone.
	Pipe, PipeLen int
	// Negated is set under `!`: the status is inverted, so 0 means it failed.
	Negated bool
	// Background is set under `&` and coproc.
	Background bool
	// ExitSeen tells that the status of the whole text reveals a failure of
	// this command.
	ExitSeen bool
	// Masked is one of the Mask constants; "" when ExitSeen.
	Masked string
	// Reported is set when a later command prints or tests this one's status
	// (`; echo "exit $?"`, `${PIPESTATUS[0]}`), so that the output shows it.
	Reported bool
	// Line is the line of the text on which it starts, from 1. Commands of a
	// nested script have the line of the outer command.
	Line int
}

// Reasons why the status of a text does not reveal a command's failure.
const (
	MaskPipe       = "pipe"         // not last in a pipeline, no pipefail
	MaskOrTrue     = "or-true"      // || true, || echo, || :
	MaskOrElse     = "or-else"      // || another command, whose status counts
	MaskSequence   = "sequence"     // another command follows, no set -e
	MaskBackground = "background"   // & and never waited for
	MaskCondition  = "condition"    // if, while or until decides on it and goes on
	MaskLoop       = "loop"         // only the last round's status counts
	MaskSubst      = "substitution" // inside $(…), <(…) of another command
)
