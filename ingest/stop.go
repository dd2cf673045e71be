package ingest

import "strings"

// SafetyStop is the name that decoders give to the Error event of a response
// that the provider's own safety stop ended.
const SafetyStop = "safety_stop"

// safetyStops are the words by which providers, gateways and SDKs say that a
// safety system of theirs ended a response, in lower-case letters only: reasons
// to stop of Anthropic, OpenAI, Google, Bedrock, Cohere and Zhipu.
var safetyStops = map[string]bool{
	"safetystop": true, "refusal": true, "contentfilter": true, "contentfiltered": true,
	"safety": true, "prohibitedcontent": true, "blocklist": true, "spii": true, "imagesafety": true, "imageprohibitedcontent": true, "modelarmor": true,
	"guardrailintervened": true, "errortoxic": true, "sensitive": true,
}

// StopsForSafety reports that a reason to stop, or the name of an error, is a
// provider's word for a safety stop. Errors that end in "policy_violation" are,
// whatever policy it was. A refusal in the model's own prose is none.
func StopsForSafety(reason string) bool {
	word := strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z':
			return r
		}
		return -1
	}, reason)
	return safetyStops[word] || strings.HasSuffix(word, "policyviolation")
}

// StopsForSafety reports that the event is a provider's safety stop: raised by
// a decoder, or named so by the source.
func (e *Event) StopsForSafety() bool {
	return e.Kind == Error && StopsForSafety(e.Name)
}
