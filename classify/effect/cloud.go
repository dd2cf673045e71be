package effect

import "strings"

// aws reads "aws SERVICE OPERATION …"; s3's own verbs apart.
func aws(c command) []Effect {
	service, op := c.word(0), c.word(1)
	ground := ""
	if c.name == "awslocal" {
		ground = "test double"
	} else if url := c.flag("endpoint-url"); url != "" {
		ground, _ = localTarget(url)
	}
	if service == "s3" {
		return one(s3(c, op).localise(ground))
	}
	words := splitWords(op)
	at := findVerb(words)
	if at < 0 {
		e := c.effect(meaning{verb: None}, service, 2)
		e.Class = Unknown
		if service == "configure" || service == "sts" || service == "help" {
			return nil
		}
		return one(e)
	}
	resource := service
	if noun := resourceName(append(words[:at:at], words[at+1:]...)); noun != "" {
		resource = strings.TrimSuffix(service, "api") + "-" + noun
	}
	m := verbs[words[at]]
	if words[at] == "run" && service == "ec2" {
		m = wr(Create)
	}
	if service == "sqs" && op == "send-message" || service == "sns" && op == "publish" || service == "ses" || service == "sesv2" {
		if m.write {
			m = wr(Send)
		}
	}
	return one(c.effect(m, resource, 2).localise(ground))
}

// s3 copies between the workspace and buckets; only what ends in a bucket
// writes outside.
func s3(c command, op string) Effect {
	switch op {
	case "mb":
		return c.effect(wr(Create), "s3-bucket", 2)
	case "rb":
		return c.effect(set(Delete), "s3-bucket", 2)
	case "rm":
		return c.effect(set(Delete), "s3-object", 2)
	case "cp", "sync", "mv":
		if last := c.word(len(c.words) - 1); len(c.words) > 3 && isBucket(last) {
			return c.effect(set(Set), "s3-object", 2)
		}
		if op == "mv" {
			return c.effect(wr(Delete), "s3-object", 2)
		}
		return c.effect(rd(Lookup), "s3-object", 2)
	case "website":
		return c.effect(set(Set), "s3-bucket", 2)
	}
	if c.word(2) == "" {
		return c.effect(rd(List), "s3-bucket", 2)
	}
	return c.effect(rd(List), "s3-object", 2)
}

func isBucket(s string) bool {
	return strings.HasPrefix(s, "s3://") || strings.HasPrefix(s, "gs://")
}

func gsutil(c command) []Effect {
	for len(c.words) > 0 && (c.word(0) == "m") {
		c.words = c.words[1:]
	}
	c.words = append([]string{"s3"}, c.words...)
	op := c.word(1)
	if op == "rsync" {
		op = "sync"
	}
	e := s3(c, op)
	e.Resource = strings.Replace(e.Resource, "s3-", "gs-", 1)
	e.LooksUp = strings.Replace(e.LooksUp, "s3-", "gs-", 1)
	e.Undoes = strings.Replace(e.Undoes, "s3-", "gs-", 1)
	return one(e)
}

var kubeVerbs = map[string]meaning{
	"get": rd(List), "describe": rd(Lookup), "logs": rd(Lookup), "top": rd(Lookup), "explain": rd(Lookup), "diff": rd(Lookup), "wait": rd(Lookup), "events": rd(List),
	"create": wr(Create), "run": wr(Create), "expose": wr(Create), "apply": set(Set), "replace": set(Set), "patch": set(Update), "edit": set(Update), "set": set(Set),
	"scale": set(Set), "autoscale": set(Set), "label": set(Set), "annotate": set(Set), "taint": set(Set), "cordon": set(Set), "uncordon": set(Set), "drain": set(Set),
	"delete": set(Delete),
}

// kubectl reads verb-first commands; the resource is "k8s/KIND".
func kubectl(c command) []Effect {
	act, kind := c.word(0), c.word(1)
	at := 2
	m, ok := kubeVerbs[act]
	switch act {
	case "rollout":
		m, ok, kind, at = kubeRollout(c.word(1)), true, c.word(2), 3
	case "set":
		kind, at = c.word(2), 2
	case "run":
		kind, at = "pod", 1
	case "exec", "cp", "attach", "debug":
		e := c.effect(meaning{verb: None}, "k8s/pod", 1)
		e.Class, e.Why = Unknown, "kubectl "+act
		return one(e.localise(kubeGround(c)))
	}
	if !ok {
		return nil
	}
	if k, name, cut := strings.Cut(kind, "/"); cut {
		kind = k
		c.words = append(append(append([]string{}, c.words[:at]...), name), c.words[min(at, len(c.words)):]...)
	}
	if kind == "" || act == "apply" || c.has("f", "filename", "k", "kustomize") && len(c.words) < 2 {
		kind = "manifest"
	}
	kind, _, _ = strings.Cut(fold(singular(strings.ToLower(kind))), ".")
	e := c.effect(m, "k8s/"+kind, min(at, len(c.words)))
	return one(e.localise(kubeGround(c)))
}

func kubeRollout(sub string) meaning {
	switch sub {
	case "status", "history":
		return rd(Lookup)
	case "restart":
		return wr(Start)
	}
	return wr(Update)
}

// kubeGround knows the contexts of clusters that run on this machine.
func kubeGround(c command) string {
	context := c.flag("context", "kube-context")
	for _, p := range []string{"kind-", "k3d-", "minikube", "docker-desktop", "rancher-desktop", "colima", "orbstack"} {
		if strings.HasPrefix(context, p) {
			return "container"
		}
	}
	if s := c.flag("server"); s != "" {
		ground, _ := localTarget(s)
		return ground
	}
	return ""
}

func helm(c command) []Effect {
	m, ok := map[string]meaning{"install": wr(Deploy), "upgrade": set(Deploy), "uninstall": set(Delete), "delete": set(Delete), "rollback": wr(Update),
		"list": rd(List), "ls": rd(List), "status": rd(Lookup), "get": rd(Lookup), "history": rd(Lookup), "push": set(Push)}[c.word(0)]
	if !ok {
		return nil
	}
	return one(c.effect(m, "helm-release", 1).localise(kubeGround(c)))
}

func terraform(c command) []Effect {
	m, ok := map[string]meaning{"apply": set(Deploy), "up": set(Deploy), "destroy": set(Delete), "import": set(Set), "taint": set(Set),
		"plan": rd(Lookup), "preview": rd(Lookup), "show": rd(Lookup), "output": rd(Lookup), "refresh": rd(Lookup)}[c.word(0)]
	if !ok {
		return nil
	}
	return one(c.effect(m, "infrastructure", 1))
}
