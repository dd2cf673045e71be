// Package badgerstore keeps an ingest.Store in one folder, by Badger: an
// embedded key-value store, so that there is no server to set up.
//
// # What is kept
//
// Every value but advice is content-derived and written once. It is encoded (codec.go,
// block.go, manifest.go, receipt.go), compressed with zstd as one frame and
// cut into chunks of less than 1 MiB (value.go). Badger's sorted tables hold
// keys and small values; what is larger is appended to its value log and never
// copied again. The log's garbage collection, which would have to be called by
// hand, has nothing to do: nothing is deleted by key, old data goes with its
// folder. Full files of the log, which Badger maps, are let go of now and then
// (logs.go), so that memory does not grow with the store.
//
// # Key layout
//
// The first byte is the kind. A variable part that another part follows has
// its length before it (two bytes, big-endian); a last part has none. A chunk
// number is two bytes, big-endian.
//
//	00                               layout version, one byte
//	10 len run  hash16  chunk        block: hash of its reading, unit ids and bodies
//	20 len run  len digest role4 version4 len format chunk   manifest
//	21 run                           marks that the run has a manifest
//	30 len digest chunk              receipt of a content's first reading
//	31 len digest hash16             a path it was met under; the value is the path
//	32 len digest chunk              quarantined units of its first reading
//	33 len digest n4 chunk           receipt of its n-th later reading
//	34 len digest n4 chunk           quarantined units of that
//	35 len digest n4 version4 format   marks that reading; the last one counts
//	40 hash32 chunk                  cached value, by the hash of its key
//	41 hash32                        advice: what was last seen, by the hash of its key
//
// Which contents were read again is read from the keys of kind 35 when a store
// is opened: mostly none.
//
// # Older and newer layouts
//
// Every encoding begins with its version, and what reads it knows the older ones.
// Whatever changes, keys or encodings, raises the layout version, so that a
// program which does not know it says ErrNewer and lets the store alone. A store
// of an older layout opens: for reading it stays as it is; an open for writing
// marks it with the present layout, and from then on older programs keep out;
// new keys and encodings lie beside old ones until package upkeep writes the
// store anew. Keys of an older layout must therefore never get another meaning.
//
// Layout 2 knows readings, and manifests without the places of the content from
// which theirs grew (package grown). Layout 1 has blocks without one, which serve all, and
// manifests whose key ends behind the role.
//
// # Replacing
//
// To leave something behind, what stays is copied into a new folder, which takes
// the place of the old one (Store.Replace).
//
// # Durability
//
// A put is in the log of the kernel's page cache when it returns: it survives
// the death of the process. It survives the death of the machine when Sync has
// returned. A value that is not there as a whole is taken for absent.
//
// One process writes, or many read: a folder lock (flock) holds it, and the
// file LOCK names the writer. The lock is this package's own where it can be, so
// that it holds on while a folder is replaced; it is one with Badger's. A folder that was not closed is repaired by the
// next open, also by one for reading, while no other process has it open.
package badgerstore
