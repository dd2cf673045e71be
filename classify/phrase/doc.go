// Package phrase looks for words and expressions in texts that mostly hold
// none of them. An expression is tried only where a text holds one of the words
// without which it cannot match; they are found in the expression itself, and
// all of them are looked for in one pass that takes about a nanosecond a byte.
package phrase
