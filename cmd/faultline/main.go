package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/faultline-dev/faultline/classify/config"
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/badgerstore"
	"github.com/faultline-dev/faultline/ingest/record"
	"github.com/faultline-dev/faultline/ingest/upkeep"
	"github.com/faultline-dev/faultline/ingest/usage"
	"github.com/faultline-dev/faultline/regress"
	"github.com/faultline-dev/faultline/regress/check"
	"github.com/faultline-dev/faultline/regress/replay"
	"github.com/faultline-dev/faultline/regress/replay/sandbox"
	"github.com/faultline-dev/faultline/regress/script"
)

func main() { os.Exit(run(os.Args[1:])) }

// run is the whole program; a test calls it in place of main.
func run(args []string) (code int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	signal.Ignore(syscall.SIGPIPE) // a reader that goes away must not leave the store open
	go func() {
		<-ctx.Done()
		stop() // a second signal ends the program at once
	}()
	a := newApp()
	defer func() {
		if p := recover(); p != nil {
			code = exitFailed
			a.report(args, fmt.Errorf("%w: %.200v", errPanic, p), code)
			if !wantsJSON(args) {
				a.stderr.Write(debug.Stack())
			}
		}
	}()
	root := newRootCommand(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	code = exitCode(err)
	a.report(args, err, code)
	return code
}

// The exit codes.
const (
	exitOK          = 0
	exitFound       = 1
	exitUsage       = 2
	exitQuarantined = 3
	exitFailed      = 4
	exitNoStore     = 10
	exitLocked      = 11
	exitInterrupted = 130
)

// Outcomes of a command that did its work: they set the exit code and are no
// error to report.
var (
	errFound       = errors.New("findings")
	errQuarantined = errors.New("something was quarantined")
)

// errPanic is a mistake in this program.
var errPanic = errors.New("unforeseen")

// errUsage is wrapped by errors of the command line.
var errUsage = errors.New("usage")

// exitCode is the one place where an error becomes an exit code.
func exitCode(err error) int {
	if code, ok := foreignCode(err); ok {
		return code
	}
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE): // nobody reads on: head has its lines
		return exitOK
	case errors.Is(err, errFound):
		return exitFound
	case errors.Is(err, errQuarantined):
		return exitQuarantined
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, ingest.ErrLocked):
		return exitLocked
	case errors.Is(err, ingest.ErrNoStore):
		return exitNoStore
	case errors.Is(err, errUsage), errors.Is(err, config.ErrInvalid), errors.Is(err, usage.ErrPrices), errors.Is(err, record.ErrType), errors.Is(err, replay.ErrOptions):
		return exitUsage
	}
	return exitFailed
}

// hint says what to do about an error.
func hint(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "run the same command again: what was acknowledged is kept"
	case errors.Is(err, ingest.ErrLocked):
		return "wait until that process ends, or name another store with --store DIR"
	case errors.Is(err, ingest.ErrNoStore):
		return "make one with: faultline triage PATH, or name another with --store DIR"
	case errors.Is(err, badgerstore.ErrRedaction):
		return "leave the --redact flags out, or name another store with --store DIR"
	case errors.Is(err, ingest.ErrUnclean):
		return "repair it with any writing command, such as: faultline ingest PATH"
	case errors.Is(err, ingest.ErrNewer):
		return "use the newer faultline, or name another store with --store DIR"
	case errors.Is(err, upkeep.ErrRedaction):
		return "name a store of that redaction with --store DIR, or make one with --redact-key FILE"
	case errors.Is(err, upkeep.ErrDamaged):
		return "see what is damaged with: faultline store verify, and leave it behind with: faultline store compact --without-damaged"
	case errors.Is(err, upkeep.ErrFile):
		return "export the store again, or copy the file again"
	case errors.Is(err, config.ErrInvalid), errors.Is(err, usage.ErrPrices):
		return "correct the file"
	case errors.Is(err, errShards):
		return "print all of them again with: faultline classify --shard i/n"
	case errors.Is(err, regress.ErrNotRegular):
		return "name a file"
	case errors.Is(err, check.ErrBaseline):
		return "write it again with: faultline regress check --write-baseline FILE"
	case errors.Is(err, regress.ErrCase):
		return "make it again with: faultline case new --from FINGERPRINT"
	case errors.Is(err, script.ErrScript), errors.Is(err, replay.ErrNoScript):
		return "correct the script, or name another file"
	case errors.Is(err, sandbox.ErrNoNamespace):
		return "allow user namespaces on this system, or let the harness reach the network with: --network open"
	case errors.Is(err, syscall.ENOSPC):
		return "free some space and run the same command again: what was acknowledged is kept"
	case errors.Is(err, syscall.EADDRINUSE):
		return "end the process that listens there, or name another address with --http or --grpc"
	case errors.Is(err, syscall.ENOTDIR):
		return "name a folder"
	case errors.Is(err, errPanic):
		return "report this; if the store is damaged, name another with --store DIR"
	case errors.Is(err, fs.ErrPermission):
		return "check who owns it and its permissions"
	case errors.Is(err, errUsage):
		return "see: faultline help"
	}
	return "run it again; if it fails again, name another store with --store DIR"
}
