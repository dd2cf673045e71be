package main

import (
	"cmp"
	"os"
	"path/filepath"
)

// installed lists the log folders of the agents installed for this user that
// exist, and all that were looked for.
func (a *app) installed() (found, looked []string, err error) {
	home, err := a.home()
	if err != nil {
		return nil, nil, err
	}
	claude := cmp.Or(a.env("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude"))
	codex := cmp.Or(a.env("CODEX_HOME"), filepath.Join(home, ".codex"))
	data := cmp.Or(a.env("XDG_DATA_HOME"), filepath.Join(home, ".local", "share"))
	looked = []string{
		filepath.Join(claude, "projects"),
		filepath.Join(codex, "sessions"),
		filepath.Join(data, "opencode"),
		filepath.Join(home, ".gemini", "tmp"),
	}
	for _, dir := range looked {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			found = append(found, dir)
		}
	}
	return found, looked, nil
}
