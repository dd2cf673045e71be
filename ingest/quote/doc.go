// Package quote writes and reads the strings of JSON. Strings are most of what a
// trace holds, so they are passed eight bytes at a time; what is rare (odd
// escapes, bytes that are no UTF-8) is left to the JSON library, and the results
// are the library's in every case.
package quote
