// Package memstore is an ingest.Store in memory, for what must not leave a
// trace on disk: tests, regression cases, record files given with --records.
//
// It keeps copies of what it is given and hands out copies, so callers may
// change both. Put is seen by the next read at once; Sync has nothing to do.
// It passes the conformance suite of package storetest.
package memstore
