// Package otlp reads the containers of spans: what OpenTelemetry's exporters,
// collectors and back ends write to files, and what a receiver is sent. What a
// span means is read by package span.
//
// # Containers
//
//	otlp-json      requests or trace data of OTLP/JSON: one document, several after
//	               another, one a line, or pretty; resourceSpans or resource_spans,
//	               Tempo's batches, instrumentationLibrarySpans of old
//	otlp-protobuf  the same in binary: one message, messages that add up to one, or
//	               messages behind their lengths, as varints or in four bytes
//	span-json      spans outside of OTLP: lists of Phoenix, lines of OpenInference,
//	               dumps of the AI SDK by operation, what the console exporters of
//	               Python, JavaScript and Go write, Jaeger's JSON, flat lines
//
// The unit is a span. Spans of OTLP are read as the collector's own library reads
// them, one at a time: a scanner finds where each begins and ends by brackets and
// strings alone (in protobuf, by the lengths), and wraps that one in a document of
// its own. In protobuf what exporters write is rendered straight from its bytes, and
// the library reads what is out of the ordinary. So a document is never held,
// whatever is wrong with a span stays in that span, and a value larger than
// decode.MaxUnit is passed over. A resource or scope may stand behind its spans (the
// collector's protobuf always has it there); it is looked for ahead.
//
// A span that the library refuses is read member by member, so that an odd kind or
// an empty time does not lose it. Ids are hex; the base64 that a protobuf JSON
// printer makes of them is turned back, and so are Python's numbers. Any other id
// than 16 and 8 bytes is for quarantine in OTLP; dumps may have ids of their own.
//
// After a document that breaks off, the next line that begins like one is read.
//
// # Identity
//
// A run is a trace. All containers name it alike, so a trace that was exported
// twice, or received live, is one run, and a span one unit. Lines and offsets are
// those of the span's own value; protobuf has line 1, a live request the number of
// the span.
//
// OTLP logs and metrics are not read: GenAI events that are exported as log
// records, not as events of a span, are missing.
package otlp
