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
// so does JSON inside its strings. What is no string (a password of digits, a
// card's number) becomes one. A pseudonym is never a secret, so a redacted unit
// stays as it is. If redaction fails, the unit is withheld whole.
//
// A native id that itself holds a secret keeps the pseudonym, since «email»
// would make one run of many: the id of such a run does depend on the key.
//
// # How secrets are found
//
// A filter finds the two rarest bytes of each anchor (a token's prefix, a name,
// "@", "://") with one table look-up a byte; a check written by hand then reads
// around the anchor. Checks read ahead a bounded way, or consume what they read,
// so hostile text costs linear time.
//
//	kind               what
//	private-key        PEM, PGP, SSH2, OpenVPN and PuTTY keys, to their end or that
//	                   of the string; a list of their lines; a line by itself
//	jwt                three or five parts, eyJ….….…
//	password           by name; user:password@ in a URL or a driver's address; the
//	                   argument of curl -u, mysql -p, sshpass -p, docker login -p
//	token, secret, key by name (access_token, client_secret, API_KEY); Bearer; the
//	                   secret beside an AWS key id
//	basic-auth         Authorization: Basic; auth and _auth of Docker and npm
//	cookie             Cookie, Set-Cookie, lists and objects named cookies
//	signature          of signed URLs and of Authorization: AWS4-…, Digest
//	email              but not git@host, noreply@ and users.noreply.github.com
//	api-key            sk-… of no known provider
//	<provider>-…       the kinds of the table tokens
//	unreadable         the whole unit: redaction failed
//
// A named value counts as a JSON member at any depth of JSON in strings, however
// its quotes are escaped; as a string in the wrappers and lists of OTLP; as a
// {"name": …, "value": …} pair, as Jaeger, Kubernetes and XML have it too; as the
// next string of a list; as an assignment in shell, make, code or YAML; as a
// query or form field, percent-encoded as well; as a --flag, a header, an XML
// element, and in "the password is …". It stays where it is a placeholder, a
// reference, a type, a path, or prose. A value that is a known token has that
// token's kind, so it joins wherever it stands. Letters written as \u0061 are
// read, and are written in the clear where that shows a secret.
//
// What is glued behind a value does not save it: a path, a bracket, dots or stars,
// as in _auth=…/v1 and in (token: …). It goes with the value, or stays behind it
// where the value's own end is known.
//
// Base64 is looked into wherever it stands and 23 characters of it are text (16
// in a unit with a bytesValue of OTLP), whatever the other bytes are: in either
// alphabet, in lines, with / and + in escapes. Where a secret is inside, the whole
// of the base64 is replaced: a pseudonym within could be neither seen nor masked.
//
// Not found: secrets that no shape or name gives away; that are split over
// units, such as a value that lies on another line than its name in a file
// whose lines are units of their own; that are encoded in other ways (gzip,
// hex, base64 of what is no text); cookies without a header's name; the
// non-ASCII letters of an address. Model signatures are kept.
//
// Paths of files are addresses by which a person opens them, not trace text:
// they are kept and printed as they are, but never go into a case.
//
// # What is redacted on request
//
// [Rules] belong to a store, since what is stored cannot be taken back. They
// come after secrets, so that neither stands in the other's way, and cost far more
// (about 60 MB per CPU second).
//
//	phone              +… of 8 to 15 digits; North American in usual groups
//	card, iban         by range, length and check digits
//	ssn                of the United States
//	ip                 public addresses; few digits only in a URL or with a port
//	user               the NAME of /home/NAME, /Users/NAME, C:\Users\NAME
//	<kind>             what a pattern of the user (RE2) matches, or its first group
//
// Patterns see the text that a JSON string stands for, names of members too, and
// enter strings that are JSON; numbers are not theirs.
//
// # Why a table of its own
//
// Measured against gitleaks v8.30.1, its library with its default rules (222 of
// them, entropy and allow lists included). Recall is of planted secrets
// (redacttest) that are gone from the unit, over 17 positions: JSON strings up
// to three deep, OTLP, lists, errors, broken lines. Its samples are the 6368 true
// positives that its own rule tests generate, of 215 rules, put into a JSON
// string; as plain text it finds all of them. Its near misses are the 342 texts
// that one of its rules must not take, of which many are secrets of another
// kind. Real traces are 13.8 MB without secrets, and 44.7 MB of benchmark runs
// with planted and with forgotten ones, where each hit was looked at.
//
//	measure                                    gitleaks    this package
//	recall, 91 shapes × 17                     41.4 %      100 %
//	recall, 63 syntaxes of a name × 17         12.0 %      100 %
//	recall, shapes and syntaxes as plain text  60 of 154   154 of 154
//	recall, its own samples in JSON            49.1 %      97.5 %
//	hits on its near misses                    16          90
//	false hits, 13.8 MB without secrets        0           0 (157 addresses)
//	hits, 44.7 MB of benchmark runs            126         511 (and 470 addresses)
//	MB per CPU second, on the two              1.7, 0.8    513, 320
//	binary over "hello"; modules linked        7.4 MB; 62  0.6 MB; 2
//
// The 100 % is of what the package was built against; its samples are the fairer
// measure. The planted tokens have each provider's prefix and alphabet, not always its
// checksum or exact length, which gitleaks asks for and a reader of traces should
// not: tokens are cut and edited there. Most of what it misses in JSON is behind
// an escaped quote or line break. Of its samples this package misses ids that
// are no secrets (Asana's and Discord's client ids), digits only, JWTs with
// impossible letters, values whose name says nothing ("cloudflare", "sonar.login"),
// and placeholders such as AGE-SECRET-KEY-1QQQ…. Of its near misses it takes what
// looks like a token of another length. In the benchmark runs it found all that
// gitleaks found and, besides, keys, passwords and tokens in env dumps, edits and
// diffs; about one hit in twenty, without addresses, was none: example URLs whose
// password is "password", patterns that were searched for, words of tests.
//
// Text was not looked for in base64 then, nor glue behind values; that takes an
// eighth off the speed, and found nothing new in the 13.8 MB.
//
// See TestPlanted, TestInnocent, TestCorpus and BenchmarkUnit.
package redact
