// Package dialect is the model's side of a replay on the wire: four ways in
// which harnesses ask a model and are answered.
//
//	Chat       POST /v1/chat/completions           OpenAI Chat Completions
//	Responses  POST /v1/responses                  OpenAI Responses
//	Messages   POST /v1/messages                   Anthropic Messages
//	Gemini     POST /v1beta/models/M:generateContent, :streamGenerateContent
//
// Read turns a request into a Request that no longer depends on the dialect:
// which tools are offered, which calls were made and what came back. Write
// answers it as it asks, streaming or whole, and can cut the answer at a point
// that matters: before the first byte, inside a call, after a whole call.
//
// Nothing is kept between requests. A request is untrusted: its size and depth
// are bounded, and what cannot be read is an error, never a panic. Ids and
// texts come from the caller, so that equal calls give equal bytes.
package dialect
