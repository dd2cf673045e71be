package shell

// wrapper describes one program that runs another.
type wrapper struct {
	name   string // its words, "docker exec"
	values string // flags that take a value, separated by blanks
	skip   int    // operands before the command: timeout 30
	host   bool   // the first operand is the container, pod or machine
	dash   bool   // the command follows "--" if there is one
	dir    string // flags that set the working directory
	script string // flags whose value is a script of its own
	env    string // flags whose value is NAME=value
	joined bool   // the operands are joined into a script: ssh
	unless string // flags that make it something else: command -v
	remote bool   // arguments are added from elsewhere: xargs
}

// wrappers is the table; the longest name that fits is taken. One row each.
var wrappers = []wrapper{
	{name: "sudo", values: "-u -g -h -p -C -R -T -U -r -t --user --group", dir: "-D --chdir"},
	{name: "doas", values: "-u -C"},
	{name: "env", values: "-u --unset", dir: "-C --chdir"},
	{name: "cross-env"},
	{name: "dotenv", values: "-e -f -c", dash: true},
	{name: "timeout", values: "-k -s --kill-after --signal", skip: 1},
	{name: "gtimeout", values: "-k -s --kill-after --signal", skip: 1},
	{name: "nohup"},
	{name: "setsid"},
	{name: "unbuffer"},
	{name: "command", unless: "-v -V"},
	{name: "builtin"},
	{name: "exec", values: "-a"},
	{name: "time", values: "-f -o --format --output"},
	{name: "gtime", values: "-f -o"},
	{name: "nice", values: "-n --adjustment"},
	{name: "ionice", values: "-c -n"},
	{name: "chrt"},
	{name: "taskset", skip: 1},
	{name: "stdbuf", values: "-i -o -e"},
	{name: "strace", values: "-o -e -p -s -E"},
	{name: "caffeinate", values: "-t -w"},
	{name: "xvfb-run", values: "-e -f -n -s -w --server-args --server-num"},
	{name: "flock", values: "-w -E", skip: 1, script: "-c --command"},
	{name: "xargs", values: "-n -P -I -L -d -E -s -a --max-args --max-procs --delimiter", remote: true},
	{name: "npx", values: "-p --package", script: "-c --call"},
	{name: "bunx"},
	{name: "pnpx"},
	{name: "npm exec", values: "-p --package", dash: true, script: "-c --call", dir: "--prefix -C"},
	{name: "npm x", dash: true},
	{name: "pnpm exec", values: "--filter -F", dir: "-C --dir"},
	{name: "pnpm dlx", values: "--package"},
	{name: "yarn exec", dash: true},
	{name: "yarn dlx", values: "-p"},
	{name: "bun x"},
	{name: "uv run", values: "--with --python -p --extra --group --env-file --package --only-group --with-requirements --with-editable", dir: "--directory --project"},
	{name: "uvx", values: "--from --with --python -p"},
	{name: "uv tool run", values: "--from --with --python -p"},
	{name: "pipx run", values: "--spec --python"},
	{name: "poetry run", dir: "-C --directory -P"},
	{name: "pipenv run"},
	{name: "pdm run"},
	{name: "rye run"},
	{name: "hatch run"},
	{name: "pixi run", values: "-e"},
	{name: "conda run", values: "-n --name -p --prefix", dir: "--cwd"},
	{name: "mamba run", values: "-n -p"},
	{name: "micromamba run", values: "-n -p"},
	{name: "coverage run", values: "--source --include --omit --rcfile --data-file --context"},
	{name: "bundle exec"},
	{name: "mise exec", dash: true},
	{name: "mise x", dash: true},
	{name: "asdf exec"},
	{name: "direnv exec", skip: 1},
	{name: "op run", dash: true},
	{name: "doppler run", dash: true},
	{name: "nix develop", dash: true},
	{name: "nix-shell", values: "-p", script: "--run --command"},
	{name: "script", values: "-T -t --timing", script: "-c --command -qc -ec -qec -qfc -qefc"},
	{name: "pwsh", script: "-c -Command"},
	{name: "powershell", script: "-c -Command"},
	{name: "nvm exec", skip: 1}, {name: "nvm run", skip: 1}, {name: "fnm exec", values: "--using --with-node"},
	{name: "volta run", values: "--node --npm"}, {name: "corepack"}, {name: "xcrun", values: "--sdk"}, {name: "arch"},
	{name: "pyenv exec"}, {name: "rbenv exec"}, {name: "devbox run", dash: true}, {name: "dotenvx run", dash: true},
	{name: "infisical run", dash: true}, {name: "aws-vault exec", skip: 1, dash: true}, {name: "devcontainer exec", values: "--workspace-folder"},
	{name: "vagrant ssh", script: "-c --command"}, {name: "wsl", values: "-d -u"}, {name: "distrobox enter", dash: true}, {name: "toolbox run", values: "-c"},
	{name: "systemd-run", values: "-p --property --unit -u"}, {name: "cpulimit", values: "-l"}, {name: "prlimit"}, {name: "catchsegv"},
	{name: "su", values: "-s -g", script: "-c --command"},
	{name: "docker exec", values: "-u --user --env-file", host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "podman exec", values: "-u --user --env-file", host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "docker run", values: dockerRun, host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "podman run", values: dockerRun, host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "docker compose exec", values: "-u --user --index", host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "docker-compose exec", values: "-u --user --index", host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "docker compose run", values: dockerRun, host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "docker-compose run", values: dockerRun, host: true, dir: "-w --workdir", env: "-e --env"},
	{name: "kubectl exec", values: "-n --namespace -c --container --context --kubeconfig", host: true, dash: true},
	{name: "oc exec", values: "-n --namespace -c --container", host: true, dash: true},
	{name: "ssh", values: "-p -i -o -l -L -R -D -F -J -b -c -E -e -m -O -Q -S -W -w", host: true, joined: true},
}

const dockerRun = "-v --volume -p --publish -u --user --name --network --net --entrypoint --mount --env-file --platform -m --memory --cpus --add-host -l --label --shm-size --ulimit --gpus -h --hostname --link --tmpfs --pull --restart --security-opt --cap-add --cap-drop --ipc --pid --device"

// shells run a script given as text or on standard input.
var shells = map[string]bool{"bash": true, "sh": true, "zsh": true, "dash": true, "ksh": true, "ash": true}

// globalFlags are flags with a value that may stand before a subcommand.
var globalFlags = map[string]string{
	"docker":         "-f --file -p --project-name --profile --env-file --context -c -H --host --project-directory",
	"docker-compose": "-f --file -p --project-name --profile --env-file --project-directory",
	"podman":         "--connection --url",
	"kubectl":        "-n --namespace --context --kubeconfig --cluster",
	"uv":             "--python -p",
}

// dirFlags names the flags by which a program changes its directory first.
var dirFlags = map[string][]string{
	"make": {"-C", "--directory"}, "gmake": {"-C", "--directory"}, "git": {"-C"},
	"pnpm": {"-C", "--dir"}, "npm": {"--prefix", "-C"}, "yarn": {"--cwd"}, "bun": {"--cwd"},
	"cargo": {"-C"}, "go": {"-C"}, "ninja": {"-C"}, "just": {"-d", "--working-directory"},
	"uv": {"--directory"}, "poetry": {"-C", "--directory"}, "composer": {"-d", "--working-dir"},
	"deno": {"--cwd"}, "mise": {"-C", "--cd"},
}

// nodeBins are tools that pnpm, yarn and bun run by name without a script.
var nodeBins = map[string]bool{
	"jest": true, "vitest": true, "mocha": true, "playwright": true, "cypress": true, "tsc": true,
	"eslint": true, "prettier": true, "biome": true, "vite": true, "next": true, "tsx": true,
	"ts-node": true, "stylelint": true, "vue-tsc": true, "turbo": true, "nx": true, "ava": true,
	"tap": true, "c8": true, "nyc": true, "oxlint": true, "xo": true, "standard": true, "tsup": true,
	"rollup": true, "webpack": true, "esbuild": true, "prisma": true,
}
