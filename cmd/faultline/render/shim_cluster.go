package render

import "github.com/faultline-dev/faultline/classify"

// Cluster is a local stand-in.
type Cluster struct {
	Fingerprint string
	Rule        string
	Layer       classify.Layer
	Severity    classify.Severity
	Runs        []string
	Count       int
}
