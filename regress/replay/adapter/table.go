package adapter

// GenericName is the adapter of a harness that has none of its own.
const GenericName = "generic"

// All lists the adapters, by name. Which facts they rest on was seen with the
// versions that regress/replay/SEEN.md names.
func All() []Adapter {
	return []Adapter{claude(), codex(), gemini(), generic(), mcphost(), opencode()}
}

// stdioServers is the common form of a list of MCP servers.
const stdioServers = `{"mcpServers": {
{{- range $i, $s := .Servers}}{{if $i}},{{end}}
  {{json .Name}}: {"command": {{json (index .Command 0)}}, "args": {{json (slice .Command 1)}}}
{{- end}}
}}
`

func claude() Adapter {
	flags := []string{"--model", "claude-sonnet-4-5", "--output-format", "json", "--mcp-config", "{{.Home}}/mcp.json", "--strict-mcp-config",
		"--allowedTools", "Bash,Read,Edit,Write{{range .Servers}},mcp__{{.Name}}{{end}}"}
	return Adapter{
		Name:    "claude",
		Command: append([]string{"{{.Program}}", "-p", "{{.Prompt}}"}, flags...),
		Resume:  append([]string{"{{.Program}}", "-p", "{{.Prompt}}", "--continue"}, flags...),
		Env: []string{
			"ANTHROPIC_BASE_URL={{.ModelURL}}", "ANTHROPIC_API_KEY=replay",
			"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
			"MCP_TOOL_TIMEOUT={{ms .ToolSeconds}}", "API_TIMEOUT_MS={{ms .IdleSeconds}}",
		},
		Files:     map[string]string{"mcp.json": stdioServers},
		Logs:      []string{".claude/projects"},
		Shortened: []string{"MCP_TOOL_TIMEOUT: the reply of an MCP tool", "API_TIMEOUT_MS: a silent model, from 10 minutes"},
	}
}

func codex() Adapter {
	// unbounded_connection_retries waits for a dead server for ever; the others
	// ask hosts outside.
	flags := []string{"--skip-git-repo-check", "--disable", "plugins", "--disable", "apps", "--disable", "remote_plugin", "--disable", "unbounded_connection_retries"}
	start := append([]string{"{{.Program}}", "exec"}, flags...)
	return Adapter{
		Name:    "codex",
		Command: append(start[:len(start):len(start)], "{{.Prompt}}"),
		Resume:  append(append([]string{"{{.Program}}", "exec", "resume", "--last"}, flags...), "{{.Prompt}}"),
		Env:     []string{"REPLAY_KEY=replay"},
		Files: map[string]string{".codex/config.toml": `model = "gpt-5"
model_provider = "replay"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.replay]
name = "replay"
base_url = {{json (print .ModelURL "/v1")}}
wire_api = "responses"
env_key = "REPLAY_KEY"
stream_idle_timeout_ms = {{ms .IdleSeconds}}

[analytics]
enabled = false

[feedback]
enabled = false

[projects.{{json .Workspace}}]
trust_level = "trusted"
{{range .Servers}}
[mcp_servers.{{json .Name}}]
command = {{json (index .Command 0)}}
args = {{json (slice .Command 1)}}
tool_timeout_sec = {{$.ToolSeconds}}
{{end}}`},
		Logs:      []string{".codex/sessions"},
		Shortened: []string{"mcp_servers.NAME.tool_timeout_sec: the reply of an MCP tool, from 300 s", "model_providers.NAME.stream_idle_timeout_ms: a silent model, from 300 s"},
	}
}

func gemini() Adapter {
	flags := []string{"--skip-trust", "-m", "gemini-2.5-pro", "-y", "-o", "json"}
	start := append([]string{"{{.Program}}"}, flags...)
	return Adapter{
		Name:    "gemini",
		Command: append(start[:len(start):len(start)], "-p", "{{.Prompt}}"),
		Resume:  append(start[:len(start):len(start)], "--resume", "latest", "-p", "{{.Prompt}}"),
		Env:     []string{"GEMINI_API_KEY=replay", "GOOGLE_GEMINI_BASE_URL={{.ModelURL}}"},
		Files: map[string]string{".gemini/settings.json": `{"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
 "general": {"maxAttempts": 3, "enableAutoUpdate": false, "enableAutoUpdateNotification": false},
 "privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false},
 "mcpServers": {
{{- range $i, $s := .Servers}}{{if $i}},{{end}}
  {{json .Name}}: {"command": {{json (index .Command 0)}}, "args": {{json (slice .Command 1)}}, "trust": true, "timeout": {{ms $.ToolSeconds}}}
{{- end}}
}}
`},
		Logs:      []string{".gemini/tmp"},
		Shortened: []string{"mcpServers.NAME.timeout: the reply of an MCP tool, from 10 minutes", "general.maxAttempts: requests to a model that fails, from 10"},
	}
}

// generic has no command line: it is given.
func generic() Adapter {
	return Adapter{
		Name: GenericName,
		Env: []string{
			"OPENAI_BASE_URL={{.ModelURL}}/v1", "OPENAI_API_BASE={{.ModelURL}}/v1", "OPENAI_API_KEY=replay",
			"ANTHROPIC_BASE_URL={{.ModelURL}}", "ANTHROPIC_API_KEY=replay",
			"GOOGLE_GEMINI_BASE_URL={{.ModelURL}}", "GEMINI_API_KEY=replay",
			"FAULTLINE_MODEL_URL={{.ModelURL}}", "FAULTLINE_TOOLS_URL={{.ToolsURL}}", "FAULTLINE_MCP_CONFIG={{.Home}}/mcp.json",
			"FAULTLINE_TOOLS={{.Home}}/tools.json", "FAULTLINE_WORKSPACE={{.Workspace}}", "FAULTLINE_PROMPT={{.Prompt}}",
			"FAULTLINE_CHECK={{.Check}}", "FAULTLINE_TOOL_SECONDS={{.ToolSeconds}}",
		},
		Files: map[string]string{"mcp.json": stdioServers, "tools.json": "{{json .Tools}}\n"},
	}
}

func mcphost() Adapter {
	command := []string{"{{.Program}}", "--config", "{{.Home}}/mcphost.json", "-m", "openai:gpt-4o", "--provider-url", "{{.ModelURL}}/v1",
		"--provider-api-key", "replay", "--session", "{{.Home}}/session.json", "--quiet", "-p", "{{.Prompt}}"}
	return Adapter{
		Name:    "mcphost",
		Command: command,
		Resume:  command,
		Files: map[string]string{
			"mcphost.json": `{"mcpServers": {
  "bash": {"type": "builtin", "name": "bash"}
{{- range .Servers}},
  {{json .Name}}: {"type": "local", "command": {{json .Command}}}
{{- end}}
}}
`},
		Logs:      []string{"session.json"},
		SlowTools: true,
	}
}

func opencode() Adapter {
	command := []string{"{{.Program}}", "run", "--format", "json", "--title", "replay"}
	return Adapter{
		Name:    "opencode",
		Command: append(command[:len(command):len(command)], "{{.Prompt}}"),
		Resume:  append(command[:4:4], "--continue", "{{.Prompt}}"),
		Env: []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
			"OPENCODE_DISABLE_DEFAULT_PLUGINS=1"},
		Files: map[string]string{".config/opencode/opencode.json": `{"model": "replay/replay", "small_model": "replay/replay", "autoupdate": false, "share": "disabled",
 "permission": {"*": "allow"},
 "provider": {"replay": {"npm": "@ai-sdk/openai-compatible", "name": "replay",
  "options": {"baseURL": {{json (print .ModelURL "/v1")}}, "apiKey": "replay", "timeout": {{ms .IdleSeconds}}},
  "models": {"replay": {"name": "replay", "tool_call": true, "limit": {"context": 200000, "output": 8192}}}}},
 "mcp": {
{{- range $i, $s := .Servers}}{{if $i}},{{end}}
  {{json .Name}}: {"type": "local", "command": {{json .Command}}, "enabled": true, "timeout": {{ms $.ToolSeconds}}}
{{- end}}
}}
`},
		Logs:      []string{".local/share/opencode/opencode.db"},
		Shortened: []string{"mcp.NAME.timeout: the reply of an MCP tool, from 60 s", "provider.NAME.options.timeout: a silent model, from 300 s"},
	}
}
