package adapter

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// hostile holds what would break a configuration that is pasted together.
const hostile = "say \"hi\"\\ 'there' {{.Home}}\n$(reboot)"

func values() Values {
	return Values{
		Program: "/opt/harness", ModelURL: "http://127.0.0.1:1", ToolsURL: "http://127.0.0.1:2", Workspace: "/s/work", Home: "/s/home",
		Prompt: hostile, Shim: []string{"/bin/faultline", "shim"}, Control: "/s/c", ToolSeconds: 5, IdleSeconds: 20,
		Servers: []Server{
			{Name: "shop", URL: "http://127.0.0.1:2/mcp/shop", Command: []string{"/bin/faultline", "shim", "mcp", "shop"}},
			{Name: "mail", URL: "http://127.0.0.1:2/mcp/mail", Command: []string{"/bin/fault \"line\"", "shim", "mcp", "mail"}},
		},
	}
}

// TestPlans: every adapter can be filled in; what is JSON stays JSON, and a
// prompt is one word of the command line, untouched.
func TestPlans(t *testing.T) {
	names := Names()
	assert.True(t, slices.IsSorted(names))
	for _, a := range All() {
		t.Run(a.Name, func(t *testing.T) {
			v := values()
			for range 3 { // with two servers, one and none
				p, err := a.Plan(v)
				require.NoError(t, err)
				if a.Name != GenericName {
					assert.Contains(t, p.Command, hostile)
					assert.Contains(t, p.Resume, hostile)
					assert.Equal(t, "/opt/harness", p.Command[0])
				}
				for path, text := range p.Files {
					assert.NotContains(t, text, "{{")
					if strings.HasSuffix(path, ".json") {
						assert.True(t, jsontext.Value(text).IsValid(), "%s:\n%s", path, text)
					}
					for _, s := range v.Servers {
						if path == "tools.json" {
							continue
						}
						assert.Contains(t, text, s.Name)
					}
				}
				v.Servers = v.Servers[:max(0, len(v.Servers)-1)]
			}
		})
	}
}

func TestCodexConfig(t *testing.T) {
	a, ok := Find("codex")
	require.True(t, ok)
	p, err := a.Plan(values())
	require.NoError(t, err)
	config := p.Files[".codex/config.toml"]
	assert.Contains(t, config, "base_url = \"http://127.0.0.1:1/v1\"\n")
	assert.Contains(t, config, "[mcp_servers.\"shop\"]\ncommand = \"/bin/faultline\"\nargs = [\"shim\",\"mcp\",\"shop\"]\ntool_timeout_sec = 5\n")
	assert.Contains(t, config, `command = "/bin/fault \"line\""`)
}

// TestGiven: a harness of one's own finds everything by templates and by
// environment.
func TestGiven(t *testing.T) {
	a, ok := Find(GenericName)
	require.True(t, ok)
	a.Command = []string{"my-agent", "--model-url={{.ModelURL}}/v1", "--ask", "{{.Prompt}}", "--say", "{{shell .Shim}}"}
	a.Env = append(a.Env, "MODE={{ms .ToolSeconds}}")
	p, err := a.Plan(values())
	require.NoError(t, err)
	assert.Equal(t, []string{"my-agent", "--model-url=http://127.0.0.1:1/v1", "--ask", hostile, "--say", "'/bin/faultline' 'shim'"}, p.Command)
	assert.Contains(t, p.Env, "ANTHROPIC_BASE_URL=http://127.0.0.1:1")
	assert.Contains(t, p.Env, "MODE=5000")
	assert.Nil(t, p.Resume)
}

func TestMalformed(t *testing.T) {
	for _, word := range []string{"{{.Nothing}}", "{{", "{{index .Servers 9}}"} {
		_, err := Adapter{Name: "x", Command: []string{word}}.Plan(values())
		assert.ErrorIs(t, err, ErrTemplate, word)
	}
	_, ok := Find("nobody")
	assert.False(t, ok)
}
