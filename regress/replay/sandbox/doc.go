// Package sandbox runs a program that is not trusted to stay where it is put:
// without a network, with a time-out, with capped output, and with nothing left
// of it afterwards.
//
//	parent ── socket pair ── stub (`faultline inside`) ── the program and all it starts
//	   ▲                       │ user, network and PID namespaces of its own
//	   └── listening sockets ──┘ on the loopback of that network
//
// New starts the stub in new namespaces. The stub proves that nothing can be
// reached, brings the loopback up, opens the listeners that the parent asked
// for and hands their descriptors over: the parent serves on them, the program
// reaches them at 127.0.0.1, and no packet leaves. The program's host, the
// parent's own loopback included, is another network to it.
//
// Run starts one program and ends when it ends, or when the time-out or Kill
// ends it. Whatever it left running is killed with it: the stub is the first
// process of the PID namespace, so no fork, session or ignored signal escapes.
//
// # Where there are no namespaces
//
// New gives ErrNoNamespace, and never falls back. Only Options.Network set to
// Open runs without isolation, which Sandbox.Network then says.
//
// # What it is not
//
// The file system is the host's: a program may read and write what its user
// may, and a Unix socket that lies on it stays reachable. The environment is
// built from nothing (Environ), so that no key, agent socket or home folder of
// the user is named to the program.
package sandbox
