package effect

import "strings"

// readers maps a program to the function that knows its sub-commands. A
// program that is not here has no effect outside the workspace that could be
// known from its words.
func reader(name string) func(command) []Effect {
	switch name {
	case "curl":
		return curl
	case "wget":
		return wget
	case "http", "https", "xh", "httpie":
		return httpie
	case "git":
		return git
	case "gh", "glab", "hub":
		return forge
	case "aws", "awslocal":
		return aws
	case "gcloud", "az", "doctl", "heroku", "linode-cli", "stripe", "jira", "linear", "vault", "consul", "firebase", "supabase", "railway", "wrangler":
		return nounVerb
	case "gsutil":
		return gsutil
	case "kubectl", "oc", "k":
		return kubectl
	case "helm":
		return helm
	case "terraform", "tofu", "pulumi", "terragrunt":
		return terraform
	case "psql", "mysql", "mariadb", "sqlite3", "mongosh", "mongo", "redis-cli", "cqlsh", "duckdb":
		return database
	case "npm", "pnpm", "yarn", "bun", "cargo", "twine", "poetry", "gem", "mvn", "uv", "flit", "hatch", "vsce", "goreleaser", "vercel", "netlify", "fly", "flyctl", "serverless", "sls", "dotnet", "nuget":
		return publish
	case "docker", "podman", "skopeo", "buildah", "nerdctl":
		return container
	case "mail", "mailx", "sendmail", "mutt", "msmtp", "swaks":
		return mail
	case "python", "python3", "node", "deno", "ruby":
		return inline
	case "ssh", "scp", "rsync", "sftp":
		return remote
	}
	return nil
}

// FromCommand judges one simple command: argv after the shell's own parsing,
// and the text that is piped or redirected into it as far as it is known. nil
// means that no effect beyond the workspace is known of this program.
func FromCommand(argv []string, stdin string) []Effect {
	return fromCommand(argv, stdin, 0)
}

func fromCommand(argv []string, stdin string, depth int) []Effect {
	argv = unwrap(argv)
	if len(argv) == 0 || depth > 3 {
		return nil
	}
	name := argv[0][strings.LastIndexByte(argv[0], '/')+1:]
	read := reader(name)
	if read == nil {
		return nil
	}
	if inner, ok := insideContainer(name, argv[1:]); ok {
		return withinContainer(inner, stdin, depth)
	}
	c, ok := parseCommand(argv, stdin)
	if !ok || c.has("help") {
		return nil
	}
	return read(c)
}

func one(e Effect) []Effect { return []Effect{e} }

// nounVerb reads "gcloud compute instances create NAME": the first verb word
// ends the nouns, what follows it is the object.
func nounVerb(c command) []Effect {
	return one(c.nounVerb("", 0))
}

func (c command) nounVerb(prefix string, from int) Effect {
	var nouns []string
	if prefix != "" {
		nouns = append(nouns, prefix)
	}
	for i := from; i < len(c.words) && i < from+6; i++ {
		words := splitWords(c.words[i])
		at := findVerb(words)
		if at < 0 || verbs[words[at]].verb == None || at == 0 && len(words) == 1 && verbs[words[0]].noun && i+1 < len(c.words) && nextIsVerb(c.words[i+1]) {
			for _, w := range words {
				if w != "alpha" && w != "beta" {
					nouns = append(nouns, w)
				}
			}
			continue
		}
		nouns = append(nouns, append(words[:at:at], words[at+1:]...)...)
		m := verbs[words[at]]
		resource := resourceName(nouns)
		if resource == "" {
			resource = fold(m.resource)
		}
		return c.effect(m, resource, i+1)
	}
	e := c.effect(meaning{verb: None}, "", len(c.words))
	e.Class, e.Why = Unknown, c.name+": no known verb"
	return e
}

func nextIsVerb(word string) bool {
	m, ok := verbs[word]
	return ok && !m.noun || m.verb == List
}
