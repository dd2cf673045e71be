package redact

import "bytes"

// shape is the form of a provider's token: a prefix, then a body of the class.
type shape struct {
	kind   string
	prefix string
	body   uint16 // class of the body
	min    int    // bytes of the body, at least
	exact  bool   // not more either
	mixed  bool   // body must look random: prefix and class alone are too common
}

// A check that refuses must not have read far, or a long text could make it
// read the same bytes again and again. So what is longer than this is taken.
const (
	longValue  = 512 // bytes of a value that only a guess would refuse
	longHeader = 512 // bytes of a JWT before its first dot
)

// tokens is read in order: a longer prefix stands before its beginning.
var tokens = []shape{
	{kind: "anthropic-key", prefix: "sk-ant-", body: cToken, min: 16},
	{kind: "openai-key", prefix: "sk-proj-", body: cToken, min: 16},
	{kind: "openai-key", prefix: "sk-svcacct-", body: cToken, min: 16},
	{kind: "openai-key", prefix: "sk-admin-", body: cToken, min: 16},
	{kind: "api-key", prefix: "sk-", body: cToken, min: 16, mixed: true}, // OpenAI, OpenRouter, DeepSeek, …
	{kind: "github-token", prefix: "github_pat_", body: cToken, min: 20},
	{kind: "github-token", prefix: "ghp_", body: cAlnum, min: 20},
	{kind: "github-token", prefix: "gho_", body: cAlnum, min: 20},
	{kind: "github-token", prefix: "ghu_", body: cAlnum, min: 20},
	{kind: "github-token", prefix: "ghs_", body: cToken, min: 20},
	{kind: "github-token", prefix: "ghr_", body: cAlnum, min: 20},
	{kind: "gitlab-token", prefix: "glpat-", body: cToken, min: 16},
	{kind: "gitlab-token", prefix: "glptt-", body: cToken, min: 16},
	{kind: "gitlab-token", prefix: "gldt-", body: cToken, min: 16},
	{kind: "gitlab-token", prefix: "glrt-", body: cToken, min: 16},
	{kind: "gitlab-token", prefix: "glcbt-", body: cToken, min: 16},
	{kind: "slack-token", prefix: "xoxa-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xoxb-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xoxc-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xoxd-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xoxe-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xoxp-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xoxr-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xoxs-", body: cToken, min: 10},
	{kind: "slack-token", prefix: "xapp-", body: cToken, min: 20},
	{kind: "slack-webhook", prefix: "hooks.slack.com/", body: cToken | cPath, min: 24},
	{kind: "discord-webhook", prefix: "/api/webhooks/", body: cToken | cPath, min: 40, mixed: true},
	{kind: "aws-key-id", prefix: "AKIA", body: cUpper | cDigit, min: 16, exact: true},
	{kind: "aws-key-id", prefix: "ASIA", body: cUpper | cDigit, min: 16, exact: true},
	{kind: "google-key", prefix: "AIza", body: cToken, min: 35, exact: true},
	{kind: "google-token", prefix: "ya29.", body: cToken, min: 20},
	{kind: "google-secret", prefix: "GOCSPX-", body: cToken, min: 20},
	{kind: "huggingface-token", prefix: "hf_", body: cAlnum, min: 30},
	{kind: "npm-token", prefix: "npm_", body: cAlnum, min: 30},
	{kind: "pypi-token", prefix: "pypi-", body: cToken, min: 40, mixed: true},
	{kind: "digitalocean-token", prefix: "dop_v1_", body: cHex, min: 40},
	{kind: "digitalocean-token", prefix: "doo_v1_", body: cHex, min: 40},
	{kind: "digitalocean-token", prefix: "dor_v1_", body: cHex, min: 40},
	{kind: "sendgrid-key", prefix: "SG.", body: cToken | cDot, min: 40, mixed: true},
	{kind: "stripe-key", prefix: "sk_live_", body: cAlnum, min: 16},
	{kind: "stripe-key", prefix: "sk_test_", body: cAlnum, min: 16},
	{kind: "stripe-key", prefix: "rk_live_", body: cAlnum, min: 16},
	{kind: "stripe-key", prefix: "rk_test_", body: cAlnum, min: 16},
	{kind: "stripe-secret", prefix: "whsec_", body: cAlnum, min: 24},
	{kind: "jwt", prefix: "eyJ"},
	{kind: "telegram-token", prefix: ":AA"},
	{kind: "shopify-token", prefix: "shpat_", body: cHex, min: 32},
	{kind: "shopify-token", prefix: "shpss_", body: cHex, min: 32},
	{kind: "databricks-token", prefix: "dapi", body: cHex, min: 32, exact: true},
	{kind: "vault-token", prefix: "hvs.", body: cToken, min: 20},
	{kind: "groq-key", prefix: "gsk_", body: cAlnum, min: 30},
	{kind: "xai-key", prefix: "xai-", body: cAlnum, min: 40},
	{kind: "perplexity-key", prefix: "pplx-", body: cAlnum, min: 30},
	{kind: "replicate-token", prefix: "r8_", body: cAlnum, min: 30},
	{kind: "nvidia-key", prefix: "nvapi-", body: cToken, min: 40},
	{kind: "langsmith-key", prefix: "lsv2_", body: cToken, min: 32},
	{kind: "tavily-key", prefix: "tvly-", body: cToken, min: 20, mixed: true},
	{kind: "linear-key", prefix: "lin_api_", body: cAlnum, min: 30},
	{kind: "notion-token", prefix: "ntn_", body: cAlnum, min: 36},
	{kind: "atlassian-token", prefix: "ATATT3", body: cToken, min: 40},
	{kind: "grafana-token", prefix: "glsa_", body: cToken, min: 30},
	{kind: "sentry-token", prefix: "sntrys_", body: cToken, min: 30},
	{kind: "docker-token", prefix: "dckr_pat_", body: cToken, min: 20},
	{kind: "supabase-token", prefix: "sbp_", body: cHex, min: 40},
	{kind: "postman-key", prefix: "PMAK-", body: cToken, min: 30},
	{kind: "age-key", prefix: "AGE-SECRET-KEY-1", body: cUpper | cDigit, min: 50},
}

// token checks for the shape whose prefix is at i.
func (s *scanner) token(t *shape, i int) bool {
	start, end := t.match(s.src, i, s.pos)
	return start >= 0 && s.add(t.kind, start, end)
}

// match returns the secret whose prefix is at i, not before lo; start is -1
// if there is none.
func (t *shape) match(src []byte, i, lo int) (start, end int) {
	if t.kind == "telegram-token" {
		return telegram(src, i, lo)
	}
	if t.prefix[0] != '/' && wordBefore(src, i) || inEscape(src, i) {
		return -1, 0
	}
	if t.kind == "jwt" {
		return jwt(src, i)
	}
	body, limit := i+len(t.prefix), len(src)
	if t.exact {
		limit = t.min + 1 // no need to walk over a long run that is refused
	}
	end = runOf(src, body, limit, t.body)
	n := end - body
	switch {
	case n < t.min, t.exact && (n > t.min || wordAfter(src, end)):
		return -1, 0
	case t.mixed && n < longValue && !random(src[body:end]):
		return -1, 0
	case src[end-1] == '.':
		end-- // of a sentence
	}
	return i, end
}

// telegram matches 123456789:AA…, whose prefix is in the middle.
func telegram(src []byte, i, lo int) (start, end int) {
	start = i
	for start > lo && i-start < 12 && is(src[start-1], cDigit) {
		start--
	}
	end = runOf(src, i+1, 64, cToken)
	if i-start < 8 || end-i < 34 || end-i > 40 || wordBefore(src, start) || inEscape(src, start) {
		return -1, 0
	}
	return start, end
}

// jwt matches header.payload.signature at i, or five parts if it is encrypted.
func jwt(src []byte, i int) (start, end int) {
	end = runOf(src, i, longHeader, cToken)
	if end-i < 10 {
		return -1, 0
	}
	parts := 1
	for ; parts < 5 && hasAt(src, end, "."); parts++ {
		next := runOf(src, end+1, len(src), cToken)
		if next == end+1 && parts >= 3 {
			break // the full stop of a sentence
		}
		end = next
	}
	if parts < 3 {
		return -1, 0
	}
	return i, end
}

// tokenKind returns the kind of the provider's token that src[start:end] is as
// a whole, or "".
func tokenKind(src []byte, start, end int) string {
	text := src[start:end]
	for k := range tokens {
		t := &tokens[k]
		if t.prefix[0] == ':' || !bytes.HasPrefix(text, []byte(t.prefix)) {
			continue
		}
		if i, e := t.match(text, 0, 0); i == 0 && e == len(text) {
			return t.kind
		}
	}
	return ""
}
