package sandbox

import (
	"os"
	"path/filepath"
	"strings"
)

// Environ is the environment of a program in a scratch home: nothing of this
// process's own but where programs lie and how text is encoded. Shims, where it
// is not empty, is the folder that PATH names first; add (NAME=VALUE) comes
// last and wins.
func Environ(home, shims string, add ...string) []string {
	path := os.Getenv("PATH")
	if path == "" {
		path = "/usr/local/bin:/usr/bin:/bin"
	}
	if shims != "" {
		path = shims + string(filepath.ListSeparator) + path
	}
	lang := os.Getenv("LANG")
	if lang == "" {
		lang = "C.UTF-8"
	}
	env := []string{
		"PATH=" + path, "HOME=" + home, "TMPDIR=" + filepath.Join(home, "tmp"), "LANG=" + lang,
		"SHELL=/bin/sh", "TERM=dumb", "TZ=UTC", "USER=replay", "LOGNAME=replay", "CI=true", "NO_COLOR=1",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
	}
	return override(env, add)
}

// override replaces variables by name.
func override(env, add []string) []string {
	for _, v := range add {
		name, _, _ := strings.Cut(v, "=")
		kept := env[:0]
		for _, old := range env {
			if n, _, _ := strings.Cut(old, "="); n != name {
				kept = append(kept, old)
			}
		}
		env = append(kept, v)
	}
	return env
}
