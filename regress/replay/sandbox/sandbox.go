package sandbox

import (
	"errors"
	"time"
)

// ErrNoNamespace: this system does not give an ordinary user a network of its
// own. It is wrapped with why.
var ErrNoNamespace = errors.New("no network namespace can be made here")

// Network says what a program can reach.
type Network string

// The networks. With Open the program reaches what this process reaches.
const (
	Isolated Network = "isolated"
	Open     Network = "open"
)

// Options of a sandbox.
type Options struct {
	// Stub are the words that start the stub: a faultline binary and the command
	// that calls Inside. Nil is this program with "inside".
	Stub []string
	// Network is Isolated where it is empty.
	Network Network
	// Listeners is how many listeners on 127.0.0.1 the parent wants.
	Listeners int
}

// Command is a program to run.
type Command struct {
	Args    []string // the first is looked up in the PATH of Env
	Dir     string
	Env     []string
	Timeout time.Duration // zero for none
	Stdout  *Output       // nil: dropped
	Stderr  *Output
}

// Exit is how a program ended.
type Exit struct {
	Code     int    // 128 + the signal's number where a signal ended it
	Signal   string // its name, or ""
	TimedOut bool   // ended by Command.Timeout
	Killed   bool   // ended by Kill
}
