// Package evidence reads what teams already keep about a change and turns it
// into record documents, for the call at hand only: nothing of it is stored.
//
//   - JUnit XML and CTRF reports, GitHub's check runs, suites, workflow runs and
//     jobs as JSON, and the logs of CI jobs become checks of a commit: a
//     Completion record without a decision, whose run_id is "commit:" and the
//     commit
//     A test that failed and passed when it was run again, has passed
//   - lines of a service's access or audit log become look-ups of an operation:
//     an Operation record whose run_id is "key:" and the key. A Mapping says
//     which fields of a line hold what
//
// Which runs they belong to is found out when a run is judged: the one that
// made the commit, or that called the tool with the key.
//
// A report without a commit of its own takes the one that its path names
// (ci/0a9b8c7d/junit.xml), else the only one that the other evidence in its
// folder names. What has none is told and left out.
package evidence
