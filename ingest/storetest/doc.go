// Package storetest says in tests what package ingest says in words: what
// every Store must do. A store's own tests call Run with a function that opens
// an empty one.
//
// The suite covers one open store in one process: content-derived keys, first
// receipts, order, copies on both sides, sizes far beyond one value of any
// engine, hostile bytes, readers beside writers. What outlives Close (locks,
// crashes, layout versions) differs per store and is tested there.
//
// RandomBlock and RandomManifest make seeded data that uses every field, for
// those tests too.
package storetest
