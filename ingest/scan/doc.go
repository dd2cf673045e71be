// Package scan walks paths, recognises what lies there and brings it into a
// store: one receipt for every regular file met.
//
//	path ─▶ trial folder? ─▶ its members, one run
//	     ─▶ file ─▶ content known? ─▶ receipt again
//	             ─▶ followed, and only grew? ─▶ the lines behind what was read
//	             ─▶ format by content ─▶ decode.Writer ─▶ blocks, manifest, receipt
//
// Files are taken in the order of their paths, so that receipts and stored
// bytes do not depend on the machine. A receipt is handed on only after the
// store was synced: it is the acknowledgement. Directory links are not
// followed, so a loop of links cannot trap the walk.
package scan
