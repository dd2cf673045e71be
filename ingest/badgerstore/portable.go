package badgerstore

import "github.com/faultline-dev/faultline/ingest"

// The encodings of values, for what leaves the store. They carry their version;
// older ones are read as well. What is decoded may share memory with raw.

// EncodeBlock encodes a block without its run.
func EncodeBlock(b *ingest.Block) []byte { return new(writer).block(nil, b) }

// DecodeBlock reads what EncodeBlock wrote.
func DecodeBlock(run string, raw []byte) (*ingest.Block, error) { return decodeBlock(run, raw) }

// EncodeManifest encodes a manifest without its run.
func EncodeManifest(m *ingest.Manifest) []byte { return new(writer).manifest(nil, m, false) }

// DecodeManifest reads what EncodeManifest wrote.
func DecodeManifest(run string, raw []byte) (*ingest.Manifest, error) {
	return decodeManifest(run, raw)
}

// EncodeReceipt encodes a receipt.
func EncodeReceipt(r *ingest.Receipt) []byte { return new(writer).receipt(nil, r) }

// DecodeReceipt reads what EncodeReceipt wrote.
func DecodeReceipt(raw []byte) (*ingest.Receipt, error) { return decodeReceipt(raw) }

// EncodeQuarantine encodes the quarantined units of a content.
func EncodeQuarantine(units []ingest.Quarantined) []byte { return new(writer).quarantine(nil, units) }

// DecodeQuarantine reads what EncodeQuarantine wrote.
func DecodeQuarantine(raw []byte) ([]ingest.Quarantined, error) { return decodeQuarantine(raw) }
