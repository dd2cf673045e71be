package shell

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// masks renders each command as "program:mask".
func masks(t *testing.T, text string) string {
	t.Helper()
	cmds, err := Parse(text)
	require.NoError(t, err)
	var out []string
	for _, c := range cmds {
		m := c.Masked
		if c.ExitSeen {
			m = "seen"
		}
		out = append(out, c.Argv[0]+":"+m)
	}
	return strings.Join(out, " ")
}

func TestMasked(t *testing.T) {
	tests := []struct{ text, want string }{
		{"pytest", "pytest:seen"},
		{"pytest | tail -5", "pytest:pipe tail:seen"},
		{"pytest 2>&1 | tee log | tail", "pytest:pipe tee:pipe tail:seen"},
		{"set -o pipefail; pytest | tail", "set:sequence pytest:seen tail:seen"},
		{"set -euo pipefail\npytest | tail\necho done", "set:sequence pytest:seen tail:seen echo:seen"},
		{"set -o pipefail && pytest | tail", "set:seen pytest:seen tail:seen"},
		{"pytest || true", "pytest:or-true true:seen"},
		{"pytest || echo failed", "pytest:or-true echo:seen"},
		{"pytest || exit 1", "pytest:seen exit:seen"},
		{"pytest || exit 1; echo ok", "pytest:seen exit:seen echo:seen"},
		{"pytest || { echo no; exit 2; }; make", "pytest:seen echo:sequence exit:seen make:seen"},
		{"pytest || python -m nose", "pytest:or-else nose:seen"},
		{"pytest && echo ok || echo bad", "pytest:or-true echo:or-true echo:seen"},
		{"pytest && echo ok", "pytest:seen echo:seen"},
		{"pytest && echo ok || exit 1", "pytest:seen echo:seen exit:seen"},
		{"pytest; echo done", "pytest:sequence echo:seen"},
		{"pytest\nls", "pytest:sequence ls:seen"},
		{"set -e; pytest; ls", "set:sequence pytest:seen ls:seen"},
		{"set -e; pytest && ls; ls", "set:sequence pytest:sequence ls:seen ls:seen"},
		{"set -e; set +e; pytest; ls", "set:sequence set:seen pytest:sequence ls:seen"},
		{"pytest &", "pytest:background"},
		{"pytest & wait $!", "pytest:sequence wait:seen"},
		{"pytest; exit $?", "pytest:seen exit:seen"},
		{"pytest; rc=$?; echo x; exit $rc", "pytest:seen echo:sequence exit:seen"},
		{"pytest | tail; exit ${PIPESTATUS[0]}", "pytest:seen tail:sequence exit:seen"},
		{"if pytest; then echo a; else exit 1; fi", "pytest:seen echo:seen exit:seen"},
		{"if pytest; then echo a; fi", "pytest:condition echo:seen"},
		{"if ! pytest; then exit 1; fi; ls", "pytest:seen exit:seen ls:seen"},
		{"for d in a b; do pytest; done", "pytest:loop"},
		{"for d in a; do pytest; done", "pytest:seen"},
		{"for d in a b; do pytest || exit 1; done", "pytest:seen exit:seen"},
		{"(pytest; ls)", "pytest:sequence ls:seen"},
		{"(cd a && pytest)", "cd:seen pytest:seen"},
		{"f() { pytest; }; f; ls", "pytest:sequence ls:seen"},
		{"f() { pytest; }", ""},
		{"out=$(pytest)", "pytest:seen"},
		{"echo $(pytest)", "pytest:substitution echo:seen"},
		{"export X=$(pytest)", "pytest:substitution"},
		{"bash -c 'pytest; ls'", "pytest:sequence ls:seen"},
		{"bash -ec 'pytest; ls'", "pytest:seen ls:seen"},
		{"bash -o pipefail -c 'pytest | tail'", "pytest:seen tail:seen"},
		{"bash -c 'pytest' | tail", "pytest:pipe tail:seen"},
		{"while pytest; do ls; done", "pytest:condition ls:loop"},
		{"pytest || rc=$?; ls; exit $rc", "pytest:seen ls:sequence exit:seen"},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			require.Equal(t, tt.want, masks(t, tt.text))
		})
	}
}

func TestReported(t *testing.T) {
	for text, want := range map[string]bool{
		"pytest; echo \"exit $?\"":                 true,
		"pytest | tail; echo ${PIPESTATUS[0]}":     true,
		"pytest; echo done":                        false,
		"pytest | tail -5; echo \"exit code: $?\"": false, // that is tail's
	} {
		cmds, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, cmds[0].Reported, text)
	}
}

func TestPeel(t *testing.T) {
	tests := []struct {
		text, argv, wrappers, dir, host, env string
	}{
		{"sudo -u app env A=1 timeout -k 5 30 pytest -x", "pytest -x", "sudo env timeout", "", "", "A=1"},
		{"X=1 nice -n 5 make test", "make test", "nice", "", "", "X=1"},
		{"npx --yes playwright test a", "playwright test a", "npx", "", "", ""},
		{"pnpm exec vitest run", "vitest run", "pnpm exec", "", "", ""},
		{"pnpm playwright test a", "playwright test a", "pnpm", "", "", ""},
		{"yarn test", "yarn test", "", "", "", ""},
		{"uv run --with x pytest -q", "pytest -q", "uv run", "", "", ""},
		{"uv run t.py", "python t.py", "uv run", "", "", ""},
		{"python3.12 -m pytest a", "pytest a", "python -m", "", "", ""},
		{"poetry run python -m pytest", "pytest", "poetry run python -m", "", "", ""},
		{"coverage run -m pytest", "pytest", "coverage run", "", "", ""},
		{"docker exec -it -w /app -e A=1 web pytest a", "pytest a", "docker exec", "/app", "web", "A=1"},
		{"docker compose run --rm web pytest", "pytest", "docker compose run", "", "web", ""},
		{"docker compose -f d.yml exec -T web pytest", "pytest", "docker compose exec", "", "web", ""},
		{"npx --yes vitest@latest run", "vitest@latest run", "npx", "", "", ""},
		{"kubectl exec -n x pod-1 -- sh -c 'cd /s && ls'", "cd /s;ls", "kubectl exec sh -c", "", "pod-1", ""},
		{"ssh -p 22 me@h 'cd /srv && ls -l'", "cd /srv;ls -l", "ssh", "", "me@h", ""},
		{"bash -lc \"cd a && pytest\"", "cd a;pytest", "bash -c", "", "", ""},
		{"bash <<'EOF'\nmake\nEOF", "make", "bash", "", "", ""},
		{"make -C sub test", "make test", "", "sub", "", ""},
		{"git -C sub commit -C HEAD", "git commit -C HEAD", "", "sub", "", ""},
		{"npm --prefix web test", "npm test", "", "web", "", ""},
		{"pnpm --dir=web test", "pnpm test", "", "web", "", ""},
		{"cd a && cd b/../c && ls", "cd a;cd b/../c;ls", "", "", "", ""},
		{"command -v go", "command -v go", "", "", "", ""},
		{"find . | xargs -n 1 rm", "find .;rm", "", "", "", ""},
		{"time pytest", "pytest", "time", "", "", ""},
		{"D=web; cd $D && npx jest \"$D/x\"", "cd web;jest web/x", "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			cmds, err := Parse(tt.text)
			require.NoError(t, err)
			var argv []string
			for _, c := range cmds {
				argv = append(argv, strings.Join(c.Argv, " "))
			}
			require.Equal(t, tt.argv, strings.Join(argv, ";"))
			c := cmds[0]
			if tt.wrappers != "" {
				require.Equal(t, strings.Fields(tt.wrappers), strings.Fields(strings.Join(c.Wrappers, " ")), "wrappers")
			}
			require.Equal(t, tt.dir, c.Dir)
			require.Equal(t, tt.host, c.Host)
			require.Equal(t, tt.env, strings.Join(c.Env, " "))
		})
	}
}

func TestDir(t *testing.T) {
	for text, want := range map[string]string{
		"cd a && cd b && x":         "a/b",
		"cd a; cd ..; x":            "",
		"(cd a && y); x":            "",
		"cd a && cd - && x":         "",
		"pushd a; y; popd; x":       "",
		"cd /r && cd s && x":        "/r/s",
		"cd \"$R\" && cd s && x":    "$R/s",
		"cd a && make -C b x":       "a/b",
		"cd a | cat; x":             "",
		"if true; then cd a; fi; x": "a",
		"cd a && bash -c 'cd b; x'": "a/b",
		"cd a || exit 1\nx":         "a",
	} {
		cmds, err := Parse(text)
		require.NoError(t, err)
		require.Equal(t, want, cmds[len(cmds)-1].Dir, text)
	}
}

func TestRedirects(t *testing.T) {
	cmds, err := Parse("a > o 2>&1 < in; b >> p 2>/dev/null; cat <<'X' > q\nbody $Y\nX\nc <<< \"s\"; { d; e; } &> all; > empty")
	require.NoError(t, err)
	type row struct {
		Argv0, Stdin, StdinFile string
		Writes, Appends         []string
	}
	var got []row
	for _, c := range cmds {
		got = append(got, row{c.Argv[0], c.Stdin, c.StdinFile, c.Writes, c.Appends})
	}
	want := []row{
		{"a", "", "in", []string{"o"}, nil}, {"b", "", "", nil, []string{"p"}},
		{"cat", "body $Y\n", "", []string{"q"}, nil}, {"c", "s", "", nil, nil},
		{"d", "", "", nil, nil}, {"e", "", "", []string{"all"}, nil}, {":", "", "", []string{"empty"}, nil},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("redirects (-want +got):\n%s", diff)
	}
}

func TestRefused(t *testing.T) {
	_, err := Parse("echo (")
	require.ErrorIs(t, err, ErrSyntax)
	_, err = Parse(strings.Repeat("$(", 100_000))
	require.ErrorIs(t, err, ErrTooComplex)
	_, err = Parse(strings.Repeat("x", maxText+1))
	require.ErrorIs(t, err, ErrTooComplex)
}

// Texts that would take exponential time or memory if functions, variables or
// nested scripts were followed without a bound.
func TestBounded(t *testing.T) {
	bomb := "a() { :; }\n"
	for c := 'b'; c < 'z'; c++ {
		p := string(c - 1)
		bomb += string(c) + "() { " + p + "; " + p + "; }\n"
	}
	for _, text := range []string{
		bomb + "y",
		"f() { " + strings.Repeat("x=1;", 5000) + " }; g() { " + strings.Repeat("f;", 5000) + " }; h() { " + strings.Repeat("g;", 5000) + " }; h; h",
		"x='# " + strings.Repeat("c", 4000) + "';" + strings.Repeat("eval \"$x\";", 50_000),
		"x=" + strings.Repeat("c", 4000) + ";echo " + strings.Repeat("$x ", 50_000),
		"f() { echo " + strings.Repeat("c", 200_000) + "; }; " + strings.Repeat("f;", 50_000),
		strings.Repeat("echo $(", 1000) + strings.Repeat("c", 500_000) + strings.Repeat(")", 1000),
		strings.Repeat("((", 900) + strings.Repeat("))", 900),
		"x=aaaaaaaaaa;" + strings.Repeat("x=$x$x;", 100) + "echo $x",
		strings.Repeat("a && ", 20_000) + "b",
		strings.Repeat("a | ", 20_000) + "b",
		strings.Repeat("(cd a; ", 1000) + "x" + strings.Repeat(")", 1000),
		strings.Repeat("if a; then ", 1000) + "x" + strings.Repeat("; fi", 1000),
	} {
		cmds, err := Parse(text)
		if err != nil {
			require.Empty(t, cmds)
		}
		require.LessOrEqual(t, len(cmds), maxCommands)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a && b || c", "bash -c 'x; y' | z", "if a; then b; fi", "f() { f; }; f", "cat <<E\nx\nE", "docker exec -it c", "python -m", "sudo", "git -C", "sed -i", "x=$(a) b=${c[0]}", "time ! a", "env -u", "apply_patch <<'E'\n*** Add File: x\nE"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cmds, err := Parse(s)
		if err != nil && len(cmds) > 0 {
			t.Error("commands beside an error")
		}
		for _, c := range cmds {
			if len(c.Argv) == 0 || c.ExitSeen != (c.Masked == "") || c.Pipe >= c.PipeLen {
				t.Errorf("inconsistent: %+v", c)
			}
			c.Changes()
			c.Reads()
			c.ReadOnly()
			c.Git()
		}
	})
}
