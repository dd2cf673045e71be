package world

import (
	"fmt"
	"strings"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// How well an offered name fits a tool.
const (
	foreign   = iota
	bare      // create_order
	qualified // mcp__shop__create_order, shop_create_order, mcp_shop_create_order, shop__create_order; or in a namespace
)

// fit tells how an offer fits a tool, whatever the harness put before the name.
func fit(t *script.Tool, o dialect.Offer) int {
	own, name, space := plain(t.Name), plain(o.Name), plain(o.Namespace)
	server := plain(t.Server)
	switch {
	case space != "":
		if server != "" && name == own && (space == server || strings.HasSuffix(space, "_"+server)) {
			return qualified
		}
	case server != "" && (name == server+"_"+own || strings.HasSuffix(name, "_"+server+"_"+own)):
		return qualified
	}
	if name == own && (space == "" || t.Via != script.MCP) {
		return bare
	}
	return foreign
}

// plain is a name in small letters and digits, everything else as one underscore.
func plain(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(name) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	return b.String()
}

// offered finds the offer that fits a tool best.
func offered(t *script.Tool, offers []dialect.Offer) (dialect.Offer, bool) {
	best, found := foreign, dialect.Offer{}
	for _, o := range offers {
		if f := fit(t, o); f > best {
			best, found = f, o
		}
	}
	return found, best > foreign
}

// ruledOut says, stage by stage, why no offer is the tool.
func ruledOut(t *script.Tool, offers []dialect.Offer) []string {
	stages := []string{"offers: the request offers no tools"}
	if len(offers) > 0 {
		stages[0] = fmt.Sprintf("offers: the request offers %s", list(offers))
	}
	stages = append(stages, fmt.Sprintf("by its own name: none is called %s", t.Name))
	if t.Server != "" && t.Via != script.Builtin {
		stages = append(stages,
			fmt.Sprintf("with its server: none is called %s_%s, %[1]s__%[2]s, mcp_%[1]s_%[2]s or mcp__%[1]s__%[2]s", t.Server, t.Name),
			fmt.Sprintf("by namespace: no %s in a namespace %s or mcp__%[2]s", t.Name, t.Server))
	}
	if t.Via == script.Command || t.Via == script.Builtin && isShell(t.Name) {
		stages = append(stages, "through a shell: none of the offers is a shell that is known")
	}
	return stages
}

func list(offers []dialect.Offer) string {
	const most = 20
	var names []string
	for _, o := range offers[:min(most, len(offers))] {
		name := clip(o.Name)
		if o.Namespace != "" {
			name = clip(o.Namespace) + " " + name
		}
		names = append(names, name)
	}
	if n := len(offers) - most; n > 0 {
		names = append(names, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(names, ", ")
}
