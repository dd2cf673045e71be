//go:build !(linux || darwin || freebsd)

package sandbox

import (
	"context"
	"fmt"
	"net"
)

// Sandbox cannot be made on this system.
type Sandbox struct {
	Listeners []net.Listener
	Network   Network
}

// New always fails: this system can neither isolate a program nor pass
// listeners to it.
func New(context.Context, Options) (*Sandbox, error) {
	return nil, fmt.Errorf("start sandbox: %w: replay needs a Unix system", ErrNoNamespace)
}

// Run always fails.
func (s *Sandbox) Run(context.Context, Command) (*Exit, error) { return nil, ErrNoNamespace }

// Kill does nothing.
func (s *Sandbox) Kill() {}

// Close does nothing.
func (s *Sandbox) Close() error { return nil }

// Inside always fails.
func Inside() int { return 2 }
