package rules

import (
	"strings"
	"time"

	"github.com/faultline-dev/faultline/classify"
)

// retention is what a provider says of the idempotency keys that it was sent.
type retention struct {
	names []string // as records, servers and hosts name the provider
	hosts []string // endings of host names
	// kept is the time after which the key may be forgotten, so that a request
	// under it is a new one.
	kept time.Duration
	// perPayload: one key may go with several payloads, because the provider
	// compares both.
	perPayload bool
	source     string // of the statement
}

const day = 24 * time.Hour

// retentions holds only what providers state themselves, read in November 2026.
// A provider that publishes no period (Square says so in its developer forum,
// threads 28303 and 28309) has no row: nothing can be said to have expired there.
var retentions = []retention{
	{names: []string{"stripe"}, hosts: []string{"stripe.com"}, kept: day, source: "https://docs.stripe.com/api/idempotent_requests"},
	{names: []string{"checkout.com", "checkoutcom"}, hosts: []string{"checkout.com"}, kept: day, source: "https://www.checkout.com/docs/payments/manage-payments/idempotency"},
	{names: []string{"easyship"}, hosts: []string{"easyship.com"}, kept: day, source: "https://developers.easyship.com/v2023.01/reference/idempotent-requests"},
	{names: []string{"epay"}, hosts: []string{"epay.eu"}, kept: day, source: "https://docs.epay.eu/guides/idempotency-keys"},
	{names: []string{"grailpay"}, hosts: []string{"grailpay.com"}, kept: day, source: "https://docs.grailpay.com/docs/technical/idempotency/"},
	{names: []string{"stigg"}, hosts: []string{"stigg.io"}, kept: day, source: "https://docs.stigg.io/api-and-sdks/api-reference/rest/idempotency"},
	{names: []string{"payroc"}, hosts: []string{"payroc.com"}, kept: 7 * day, source: "https://docs.payroc.com/api/idempotency/"},
	{names: []string{"plaid"}, hosts: []string{"plaid.com"}, kept: 7 * day, perPayload: true, source: "https://plaid.com/docs/bank-transfers/idempotency-and-retries"},
	{names: []string{"truelayer"}, hosts: []string{"truelayer.com"}, kept: 30 * day, source: "https://docs.truelayer.com/docs/idempotency-for-payment-requests"},
	{names: []string{"banked"}, hosts: []string{"banked.com"}, kept: 30 * day, source: "https://docs.banked.com/merchant/overview/idempotency"},
	{names: []string{"plane"}, hosts: []string{"plane.com"}, kept: 30 * day, source: "https://docs.plane.com/reference/idempotency"},
}

// statedBy finds what the provider of a write says of its keys, nil for
// nothing. The application's record names the provider best, then the host that
// the request goes to, then the server of the tool.
func statedBy(x *classify.Effect) *retention {
	provider := ""
	if x.Operation != nil {
		provider = strings.ToLower(x.Operation.Key.Provider)
	}
	if provider == "" {
		provider = strings.ToLower(x.Server)
	}
	host := ""
	if _, target, ok := strings.Cut(x.Resource, " "); ok && strings.HasPrefix(x.Resource, "http:") {
		host, _, _ = strings.Cut(target, "/")
		host, _, _ = strings.Cut(host, ":")
	}
	for i := range retentions {
		if r := &retentions[i]; r.is(provider, host) {
			return r
		}
	}
	return nil
}

func (r *retention) is(provider, host string) bool {
	for _, name := range r.names {
		if provider == name {
			return true
		}
	}
	for _, h := range r.hosts {
		if host == h || strings.HasSuffix(host, "."+h) || provider == h {
			return true
		}
	}
	return false
}

// keeps is how long the key of a write is kept: as its record states it, else
// as the provider does; 0 when nobody says.
func keeps(x *classify.Effect) time.Duration {
	if x.Operation != nil && x.Operation.Key.Retention != "" {
		if d, err := time.ParseDuration(x.Operation.Key.Retention); err == nil {
			return d
		}
	}
	if r := statedBy(x); r != nil {
		return r.kept
	}
	return 0
}
