package rules

import (
	"encoding/xml"
	"slices"
	"strings"
)

// xmlTokens is how many tokens of a reply in XML are looked at for its envelope.
const xmlTokens = 24

// The words by which an envelope in XML says that a call failed. An element of
// another name is a record: what it says of failure is the thing's own state.
var (
	xmlFaults    = wordSet("error errors fault exception errorresponse faultresponse serviceexceptionreport exceptionreport")
	xmlEnvelopes = wordSet("response result reply rsp answer output toolresult")
	xmlBad       = wordSet("error fail failed failure fault rejected refused denied false")
)

// xmlFault reports that a reply is an error by its XML envelope: the root is a
// fault, a SOAP body holds one, or a root that only wraps says so in a status.
func xmlFault(out string) bool {
	if !strings.HasPrefix(out, "<") {
		return false
	}
	d := xml.NewDecoder(strings.NewReader(out))
	d.Strict = false
	depth := 0
	for range xmlTokens {
		t, err := d.RawToken()
		if err != nil {
			return false
		}
		switch t := t.(type) {
		case xml.Directive:
			return false // a page
		case xml.EndElement:
			depth--
		case xml.StartElement:
			name := strings.ToLower(t.Name.Local)
			switch {
			case depth == 0 && (xmlFaults[name] || xmlEnvelopes[name] && slices.ContainsFunc(t.Attr, badStatus)), name == "fault":
				return true
			case depth == 0 && name != "envelope", depth > 0 && name != "body" && name != "header":
				return false
			}
			depth++
		}
	}
	return false
}

func badStatus(a xml.Attr) bool {
	switch strings.ToLower(a.Name.Local) {
	case "status", "stat", "result", "outcome", "success", "ok", "type":
		return xmlBad[strings.ToLower(a.Value)]
	}
	return false
}
