package memstore_test

import (
	"testing"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/memstore"
	"github.com/faultline-dev/faultline/ingest/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(*testing.T) ingest.Store { return memstore.New() })
}
