package classify

import (
	"strings"

	"github.com/faultline-dev/faultline/classify/runner"
	"github.com/faultline-dev/faultline/classify/shell"
)

// checkOf reads a command line as a check. What no table knows is a check by
// its words, because its owner says so.
func checkOf(command string) runner.Check {
	cmds, err := shell.Parse(command)
	if err == nil {
		for _, cmd := range cmds {
			if rc, ok := runner.Recognize(cmd.Argv); ok {
				rc.Dir = cmd.Dir
				return rc
			}
		}
	}
	return runner.Check{Runner: "script", Kind: runner.Test, Argv: strings.Fields(command)}
}

// argvCheck is checkOf for a command that is already in words.
func argvCheck(argv []string) runner.Check {
	return checkOf(argvLine(argv))
}

func argvLine(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		if w == "" || strings.ContainsAny(w, " \t\n'\"$&|;<>()*?`\\") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		words[i] = w
	}
	return strings.Join(words, " ")
}
