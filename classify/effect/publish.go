package effect

import (
	"strings"
)

// publish knows the one or two sub-commands of package managers and hosts that
// leave the machine.
func publish(c command) []Effect {
	act := c.word(0)
	if act == "run" || act == "exec" || act == "test" || act == "install" || act == "build" || act == "dev" {
		return nil
	}
	if act == "nuget" || act == "tool" {
		act = c.word(1)
	}
	var e Effect
	switch act {
	case "publish", "upload", "push", "deploy", "release":
		if hostPrograms[c.name] {
			e = c.effect(set(Deploy), "deployment", 1)
		} else {
			e = c.effect(set(Push), "package", 1) // a registry refuses a version that exists
		}
	case "unpublish", "yank", "destroy", "remove", "rm":
		if hostPrograms[c.name] || act == "unpublish" || act == "yank" {
			e = c.effect(set(Delete), "package", 1)
		} else {
			return nil
		}
	case "view", "info", "search", "show":
		e = c.effect(rd(Lookup), "package", 1)
	case "":
		if c.name != "vercel" {
			return nil
		}
		e = c.effect(set(Deploy), "deployment", 1)
	default:
		return nil
	}
	if url := c.flag("registry", "repository-url", "source", "s"); url != "" {
		ground, _ := localTarget(url)
		e = e.localise(ground)
	}
	return one(e)
}

var hostPrograms = wordSet("vercel netlify fly flyctl serverless sls")

// container knows pushes; everything else that docker does stays on this
// machine.
func container(c command) []Effect {
	act, at := c.word(0), 1
	if act == "image" || act == "manifest" {
		act, at = c.word(1), 2
	}
	switch {
	case act == "push", c.name == "skopeo" && act == "copy", act == "buildx" && c.has("push"):
		e := c.effect(set(Push), "image", at)
		return one(e.localise(imageGround(c.word(at))))
	case act == "search" || act == "inspect" || act == "pull":
		return one(c.effect(rd(Lookup), "image", at))
	case act == "stack" || act == "service":
		return one(c.nounVerb("", 0))
	}
	return nil
}

// imageGround judges the registry in an image name; Docker Hub has none.
func imageGround(image string) string {
	registry, _, ok := strings.Cut(image, "/")
	if !ok || !strings.ContainsAny(registry, ".:") && registry != "localhost" {
		return ""
	}
	return localHost(hostOf(registry))
}

// mail sends one message to the addresses on the command line.
func mail(c command) []Effect {
	if c.name == "mail" && len(c.words) == 0 && !c.has("t") {
		return nil
	}
	e := c.effect(wr(Send), "email", 0)
	if s := c.flag("server"); s != "" {
		ground, _ := localTarget(s)
		e = e.localise(ground)
	}
	return one(e)
}
