// Package receive is an OTLP trace endpoint that acknowledges only what is
// durable.
//
//	HTTP  POST /v1/traces ─┐                       ┌─▶ store: open, write and sync …, close
//	gRPC  TraceService ────┴─▶ budget ─▶ queue ─▶ batch
//	           answer ◀──────────────────────────────┘
//
// One http.Handler serves both: protobuf and JSON over HTTP, protobuf over gRPC,
// each plain or with gzip. A request waits until the batch that it belongs to
// was synced; only then it is answered with success. A client that hears
// nothing sends again, and the spans that came before are known by their ids:
// nothing that was acknowledged is lost, and nothing counts twice.
//
// # Batches
//
// What waits when the store is free is one batch: one content with one receipt,
// of which every span is a unit. The store is opened for a batch and closed when
// nothing waits any more; while more comes it stays open, but never for longer than
// two seconds. So other commands get their turn while a receiver runs; where one of
// them holds it, the batch waits. Who sends alone is answered when the store is free
// again.
//
// # Back-pressure
//
// Bodies are held within a budget of bytes, of which each takes what it needs as
// it arrives. A request that finds no room is refused, as retryable: 503 with
// Retry-After, or RESOURCE_EXHAUSTED with RetryInfo. So is every request of a
// batch that could not be stored. What can never succeed (no OTLP, too large,
// wrong token) is refused for good. Spans without a valid id are counted in the answer's
// partial success, and kept in quarantine.
//
// A client that stalls holds no more than what it sent, and loses that after
// Options.ReadTimeout.
package receive
