package main

import (
	"cmp"
	"os"
	"path/filepath"
)

// agentLogs is where an agent keeps its logs for this user.
type agentLogs struct{ agent, dir string }

// installed tells where the one agent keeps its logs whose format is read, and
// where those do that cannot be read yet.
func (a *app) installed() (read agentLogs, others []agentLogs, err error) {
	home, err := a.home()
	if err != nil {
		return agentLogs{}, nil, err
	}
	claude := cmp.Or(a.env("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude"))
	codex := cmp.Or(a.env("CODEX_HOME"), filepath.Join(home, ".codex"))
	data := cmp.Or(a.env("XDG_DATA_HOME"), filepath.Join(home, ".local", "share"))
	return agentLogs{"Claude Code", filepath.Join(claude, "projects")}, []agentLogs{
		{"Codex", filepath.Join(codex, "sessions")},
		{"opencode", filepath.Join(data, "opencode")},
		{"Gemini CLI", filepath.Join(home, ".gemini", "tmp")},
	}, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
