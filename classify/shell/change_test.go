package shell

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// changed renders the changes of all commands as "op path", with f for
// formatter and i for install.
func changed(t *testing.T, text string) string {
	t.Helper()
	cmds, err := Parse(text)
	require.NoError(t, err)
	var out []string
	for _, c := range cmds {
		for _, ch := range c.Changes() {
			s := string(ch.Op) + " " + ch.Path
			if ch.Formatter {
				s += " f"
			}
			if ch.Install {
				s += " i"
			}
			out = append(out, s)
		}
	}
	return strings.Join(out, ", ")
}

func TestChanges(t *testing.T) {
	tests := []struct{ text, want string }{
		{"echo x > a.txt", "write a.txt"},
		{"cd d && echo x >> a.txt", "append d/a.txt"},
		{"echo x > /dev/null 2>&1", ""},
		{"x | tee -a log /dev/stderr", "append log"},
		{"touch a b", "write a, write b"},
		{"rm -rf build ./x/", "delete build, delete x"},
		{"mv a b", "move a, write b"},
		{"cp -r a b c/", "write c"},
		{"cp a host:/b", ""},
		{"cp a /b:c", "write /b:c"},
		{"ln -s a b", "write b"},
		{"chmod +x a.sh", "mode a.sh"},
		{"mkdir -p a/b", "write a/b"},
		{"sed -i 's/a/b/' x.go y.go", "write x.go, write y.go"},
		{"sed -i.bak -e 's/a/b/' x.go", "write x.go"},
		{"sed -i '' 's/a/b/' x.go", "write x.go"},
		{"sed -n '1,5p' x.go", ""},
		{"sed -e 's/i/j/' x.go", ""},
		{"perl -pi -e 's/a/b/' x.go", "write x.go"},
		{"dd if=/dev/zero of=x bs=1", "write x"},
		{"truncate -s 0 x", "write x"},
		{"find . -name '*.pyc' -delete", "delete ."},
		{"find src -exec sed -i s/a/b/ {} +", "unknown src"},
		{"find src -exec grep x {} +", ""},
		{"tar xzf a.tgz -C out", "unknown out"},
		{"tar czf a.tgz src", "write a.tgz"},
		{"unzip a.zip -d out", "unknown out"},
		{"curl -sS http://x -o y", "write y"},
		{"curl -sS http://x", ""},
		{"wget -q http://x -O y", "write y"},
		{"git checkout -b new", ""},
		{"git checkout main", "unknown ."},
		{"git checkout -- a.go", "write a.go"},
		{"git checkout HEAD~1 a.go", "write a.go"},
		{"git restore --staged a.go", ""},
		{"git restore .", "unknown ."},
		{"git -C sub reset --hard", "unknown sub"},
		{"git reset HEAD a", ""},
		{"git stash", "unknown ."},
		{"git stash list", ""},
		{"git clean -fd", "delete ."},
		{"git clean -n", ""},
		{"git commit -am x", ""},
		{"git rm -r old", "delete old"},
		{"git apply <<'E'\n--- a/x.go\n+++ b/x.go\n@@\nE", "write x.go"},
		{"git apply p.diff", "unknown ."},
		{"apply_patch <<'E'\n*** Begin Patch\n*** Add File: n.go\n+x\n*** Delete File: o.go\n*** End Patch\nE", "write n.go, delete o.go"},
		{"gofmt -w a.go", "write a.go f"},
		{"gofmt -l .", ""},
		{"npx prettier --write 'src/**/*.ts'", "unknown src f"},
		{"prettier --check .", ""},
		{"black .", "unknown . f"},
		{"black --check .", ""},
		{"ruff check --fix src", "write src f"},
		{"cargo fmt", "unknown . f"},
		{"cargo fmt --check", ""},
		{"mise run fmt", "unknown . f"},
		{"npm run format", "unknown . f"},
		{"npm ci", "unknown node_modules i"},
		{"npm install left-pad", "unknown node_modules i, write package.json, write package-lock.json"},
		{"pip install -r requirements.txt", "unknown site-packages i"},
		{"go mod tidy", "write go.mod, write go.sum"},
		{"python -c \"open('a.txt','w').write('x')\"", "write a.txt"},
		{"python3 - <<'E'\nfrom pathlib import Path\nPath(\"b.txt\").write_text('x')\nprint(open('c.txt').read())\nE", "write b.txt"},
		{"node -e \"require('fs').writeFileSync('d.js', '')\"", "write d.js"},
		{"python run.py", ""},
		{"bash -c 'echo x > f' > g", "write f, write g"},
		{"npx eslint --help", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			require.Equal(t, tt.want, changed(t, tt.text))
		})
	}
}

func TestReadOnly(t *testing.T) {
	for text, want := range map[string]bool{
		"ls -la": true, "cat a": true, "echo x": true, "echo x > a": false, "git status": true, "git log -1": true,
		"git branch -a": true, "git branch new": false, "git push": false, "git stash list": true, "git diff": true,
		"find . -name x": true, "find . -delete": false, "sed -n 1p a": true, "sed -i s/a/b/ a": false,
		"curl http://x": true, "curl -X POST http://x": false, "curl -d a=b http://x": false, "curl -o y http://x": false,
		"gh api repos/a/b": true, "gh api -X POST repos/a/b": false, "gh pr create": false, "gh pr view 1": true,
		"node --version": true, "python x.py": false, "sort -o a a": false, "sort a": true, "kubectl get pods": true,
		"kubectl delete pod x": false, "[ -f x ]": true, "docker ps": true, "git config user.name": true, "git config user.name x": false,
	} {
		cmds, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, cmds[0].ReadOnly(), text)
	}
}

func TestReads(t *testing.T) {
	for text, want := range map[string]string{
		"cd d && cat a ../b":     "d/a b",
		"head -n 5 a":            "a",
		"grep -rn 'x y' src lib": "src lib",
		"grep -e x f":            "f",
		"rg x":                   ".",
		"ls":                     ".",
		"find src -name x":       "src",
		"git diff a.go":          ".",
		"git commit -m x":        "",
		"sort < in":              "in",
		"python run.py a":        "run.py",
		"sed -n '1,3p' f":        "f",
		"echo a":                 "",
		"[ -f conf ]":            "conf",
	} {
		cmds, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, strings.Join(cmds[len(cmds)-1].Reads(), " "), text)
	}
}

func TestGit(t *testing.T) {
	cmds, err := Parse("git -c a=b --no-pager -C d log -1; gh pr list")
	require.NoError(t, err)
	sub, args, ok := cmds[0].Git()
	require.True(t, ok)
	require.Equal(t, "log", sub)
	require.Equal(t, []string{"-1"}, args)
	_, _, ok = cmds[1].Git()
	require.False(t, ok)
}
