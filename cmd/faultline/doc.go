// Command faultline reads traces of AI-agent runs and says which layer of the
// harness let a failure happen, citing the events that show it.
//
// The package is thin. Each command is one file: newXCommand declares it, its
// Options struct holds its flags, and runX calls one room of the product and
// one renderer. What they share is the app: the streams, the environment, the
// store's place and the output format. Errors travel up as they are; main.go
// alone turns them into exit codes.
//
// Standard output is data, standard error is progress and errors.
package main
