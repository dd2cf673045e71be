package world

import (
	"net"
	"strings"

	"github.com/faultline-dev/faultline/regress/script"
)

// pushed enters what was pushed to the git remote, one effect for each ref, and
// strikes where the fault is against it. What arrived is in the remote already.
func (w *World) pushed(c net.Conn, h header, from conn) {
	d := w.push()
	for _, line := range h.Refs {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		one := d
		one.conn = from
		one.args = args{"repo": h.Repo, "ref": f[2], "change": changeOf(f[0], f[1])}
		one.command = "git push " + h.Repo + " " + strings.TrimPrefix(f[2], "refs/heads/")
		if a := w.dispatch(one); a.dies {
			return
		} else if a.after {
			w.print(c, printed{})
			c.Close()
			w.kill()
			return
		} else if a.lost || a.delay > 0 {
			w.print(c, printed{Stderr: []byte("the remote end hung up unexpectedly\n"), Exit: 1})
			return
		}
	}
	w.print(c, printed{})
}

// push is the script's tool for a push, or one that only counts.
func (w *World) push() delivery {
	for i := range w.script.Tools {
		if t := &w.script.Tools[i]; t.Via == script.Command && t.Server == "git" && len(t.Words) > 0 && t.Words[0] == "push" {
			return delivery{tool: t}
		}
	}
	return delivery{tool: &script.Tool{Name: "git_push", Via: script.Command, Server: "git", Effect: script.Update, Resource: "ref", Identity: []string{"repo", "ref"}}}
}

func changeOf(from, to string) string {
	switch {
	case strings.Trim(from, "0") == "":
		return "create"
	case strings.Trim(to, "0") == "":
		return "delete"
	}
	return "update"
}
