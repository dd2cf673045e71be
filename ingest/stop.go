package ingest

import "strings"

// The names that decoders give to the event of a response that did not end of
// itself: an Error where the provider's own safety stop ended it, a Limit where
// it reached the length that it may have or the window had no room for more.
const (
	SafetyStop      = "safety_stop"
	Truncated       = "truncated"
	ContextOverflow = "context_overflow"
)

// lengthStops are the words for the other two, in lower-case letters only.
var lengthStops = map[string]string{
	"length": Truncated, "maxtokens": Truncated, "maxoutputtokens": Truncated, "maxlength": Truncated, "maxtokensreached": Truncated,
	"truncated": Truncated, "tokenlimit": Truncated, "outputlength": Truncated,
	"modellength": ContextOverflow, "modelcontextwindowexceeded": ContextOverflow, "contextlength": ContextOverflow,
	"contextwindowexceeded": ContextOverflow, "contextlengthexceeded": ContextOverflow,
}

// Stop tells from a provider's reason to stop how a response was broken off: the
// kind and the name of the event that says so, or an empty name when it was not.
func Stop(reason string) (Kind, string) {
	switch {
	case reason == "":
		return "", ""
	case stopsForSafety(reason):
		return Error, SafetyStop
	}
	if name := lengthStops[letters(reason)]; name != "" {
		return Limit, name
	}
	return "", ""
}

// Stopped makes the event one that ended a response by its name.
func (e *Event) Stopped(name string) {
	e.Name, e.Outcome, e.Reason = name, Fail, Errored
}

// safetyStops are the words by which providers, gateways and SDKs say that a
// safety system of theirs ended a response, in lower-case letters only: reasons
// to stop of Anthropic, OpenAI, Google, Bedrock, Cohere and Zhipu.
var safetyStops = map[string]bool{
	"safetystop": true, "refusal": true, "contentfilter": true, "contentfiltered": true,
	"safety": true, "prohibitedcontent": true, "blocklist": true, "spii": true, "imagesafety": true, "imageprohibitedcontent": true, "modelarmor": true,
	"guardrailintervened": true, "errortoxic": true, "sensitive": true,
}

// stopsForSafety reports that a reason to stop, or the name of an error, is a
// provider's word for a safety stop. Errors that end in "policy_violation" are,
// whatever policy it was. A refusal in the model's own prose is none.
func stopsForSafety(reason string) bool {
	word := letters(reason)
	return safetyStops[word] || strings.HasSuffix(word, "policyviolation")
}

// StopsForSafety reports that the event is a provider's safety stop: raised by
// a decoder, or named so by the source.
func (e *Event) StopsForSafety() bool {
	return e.Kind == Error && stopsForSafety(e.Name)
}

// letters are the lower-case letters of a word.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, word)
}
