// Package redact is the one place through which all trace text goes before it
// is stored or printed: it replaces secrets by pseudonyms.
//
// # Three forms of a unit
//
// A unit is the raw bytes of one input item: a JSON object, a line of text, or
// broken bytes. Redaction comes before decoding, so that no decoder ever holds
// a secret, and nothing here relies on the unit being valid.
//
//   - Stored: [Redactor.Unit] writes «kind:HHHHHHHHHHHH», the first 12 hex digits
//     of HMAC-SHA256(key, kind, 0, secret). Under one [Key] the same secret gives
//     the same pseudonym, so events still join on it; who lacks the key cannot
//     test a guess.
//   - Hashed: [Canonical] writes «kind». Content ids hash this form, so the key
//     has no effect on ids.
//   - Printed: [Masker] writes «kind 2», the ordinal of first appearance in one
//     output. The key has no effect on output either. Mask before shortening.
//
// A replacement holds no quote, backslash or control character, and takes
// neither a closing quote nor half an escape: valid JSON stays valid JSON, and
// so does JSON inside its strings. A pseudonym is never a secret, so a redacted
// unit stays as it is. If redaction fails, the unit is withheld whole.
//
// # How secrets are found
//
// A filter finds the two rarest bytes of each anchor (a token's prefix, a name,
// "@", "://") with one table look-up a byte; a check written by hand then reads
// around the anchor. Checks read ahead a bounded way, or consume what they read,
// so hostile text costs linear time.
//
//	kind               what
//	private-key        PEM private key, to its END line or the end of the string
//	jwt                three or five parts, eyJ….….…
//	password           by name; user:password@ in a URL; curl -u
//	token, secret, key by name (access_token, client_secret, API_KEY); Bearer
//	basic-auth, cookie Authorization: Basic; Cookie and Set-Cookie
//	email              but not git@host, noreply@ and users.noreply.github.com
//	api-key            sk-… of no known provider
//	<provider>-…       anthropic, openai, github, gitlab, slack, discord, aws,
//	                   google, huggingface, npm, pypi, digitalocean, sendgrid,
//	                   stripe, telegram, shopify, databricks, vault, groq, xai,
//	                   perplexity, replicate, nvidia, langsmith, tavily, linear,
//	                   notion, atlassian, grafana, sentry, docker, supabase,
//	                   postman, age
//	unreadable         the whole unit: redaction failed
//
// A named value counts as a JSON member (at any depth of JSON in strings), a
// {"name": …, "value": …} pair, an assignment in shell, environment, code or
// YAML, a query or form field, a --flag, a header or an XML element. It stays
// where it is a placeholder, a reference, a type, a path, or prose. A value
// that is a known token has that token's kind, so it joins wherever it stands.
//
// Not found: secrets that no shape or name gives away, that are split or
// encoded (base64, percent, \u0070assword), cookies without a header name, and
// the non-ASCII letters of an address. Model signatures are kept.
//
// # Why a table of its own
//
// The library of gitleaks (v8) would link 62 modules for its 222 rules and runs
// regular expressions, none of which know of JSON's escapes. The shapes that
// matter in agent traces fit into one table; see TestEveryKindInEveryPosition,
// TestInnocent, TestCorpus and BenchmarkUnit for what it finds, what it leaves,
// and what it costs.
package redact
