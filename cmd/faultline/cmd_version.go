package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version with its revision",
		Args:  args(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprintf(a.stdout, "faultline %s %s/%s\n", version(info), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// moduleVersion is the version of this program alone.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// version is the module version, the revision it was built from, and the Go
// release, as far as the build recorded them.
func version(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	out := info.Main.Version
	if out == "" {
		out = "(devel)"
	}
	revision, modified, at := "unknown", "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value
		case s.Key == "vcs.time":
			at = " of " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = ", modified"
		}
	}
	return fmt.Sprintf("%s (revision %s%s%s) %s", out, revision, at, modified, info.GoVersion)
}
