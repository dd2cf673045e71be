// Package adapter says how each harness is driven: its command line, the
// configuration that points it at the world of a replay, how it is started again,
// and where its log lies afterwards.
//
// An Adapter is a value; All is the table of them. Its texts are Go templates
// (text/template) over Values, with three functions: json gives a value as JSON
// (a JSON string is a TOML string too), shell quotes words for a POSIX shell and
// ms turns seconds into milliseconds. Plan fills them in and touches nothing.
//
// A harness of one's own is driven by Generic: its command line is given, and the
// addresses are found where SDKs look for them (OPENAI_BASE_URL and the like), in
// the FAULTLINE_ variables, in templates of the command line, and in an mcp.json
// in the scratch home.
//
// # Time-outs
//
// A lost reply is only seen when the harness gives up on it. Real time-outs are
// minutes, so that each adapter shortens those that a setting of its harness
// can shorten, and names them in Shortened; the others are waited for.
package adapter
