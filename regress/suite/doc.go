// Package suite looks after a folder of cases: what is wrong with it, which
// failures and which components of the harness it holds, and whether a failure
// that was taken for fixed has come back.
//
// A case holds the cluster of its fingerprint, and the components that it names.
// A candidate holds nothing yet, because nobody has said that it should, and a
// rejected case never does; both are told of.
//
// A cluster is reopened where a case says that it was fixed in a version or on
// a day, or was retired, and a later run shows it again. Later is by the runs'
// own versions and times. What a run does not say is not guessed.
package suite
