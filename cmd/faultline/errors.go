package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/faultline-dev/faultline/cmd/faultline/render"
)

// usageError is a mistake on the command line: what was asked, on what, why it
// cannot be, and what to do instead.
type usageError struct{ message, next string }

func (e *usageError) Error() string { return e.message }
func (e *usageError) Unwrap() error { return errUsage }

// usagef is a usageError whose next step is the help.
func usagef(next, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), next}
}

type errorLine struct {
	Type    string `json:"type"`
	Code    int    `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next"`
}

// report tells the user about an error on stderr; outcomes are none.
func (a *app) report(args []string, err error, code int) {
	switch {
	case code == exitOK, code == exitFound, code == exitQuarantined:
		return
	}
	if _, ok := foreignCode(err); ok { // the other program has said why
		return
	}
	next := hint(err)
	var usage *usageError
	if errors.As(err, &usage) && usage.next != "" {
		next = usage.next
	}
	message, _, _ := strings.Cut(err.Error(), "\n") // a parser may add a picture of the place
	if code == exitInterrupted {
		message = "interrupted"
	}
	if wantsJSON(args) {
		render.NewJSON(a.stderr).Object(errorLine{"error", code, message, next})
		return
	}
	a.say("%s", message)
	fmt.Fprintln(a.stderr, "  next:", render.Clean(next))
}

// say writes one line of progress or of an error to stderr. It may quote a
// trace.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.stderr, "faultline: "+render.Clean(a.problems.Mask(fmt.Sprintf(format, args...))))
}

// wantsJSON reads the format off the raw arguments: a command line that could
// not be parsed has errors too.
func wantsJSON(args []string) bool {
	i := slices.Index(args, "--format")
	return slices.Contains(args, "--format=json") || i >= 0 && i+1 < len(args) && args[i+1] == "json"
}
