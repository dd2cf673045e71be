package evidence

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/faultline-dev/faultline/ingest/decode"
)

// order tells the byte order of text in UTF-16, as Windows writes it: by its
// mark, or by the < of XML; nil for any other text.
func order(head []byte) binary.ByteOrder {
	for start, order := range map[string]binary.ByteOrder{
		"\xff\xfe": binary.LittleEndian, "<\x00": binary.LittleEndian,
		"\xfe\xff": binary.BigEndian, "\x00<": binary.BigEndian,
	} {
		if bytes.HasPrefix(head, []byte(start)) && !bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")) {
			return order
		}
	}
	return nil
}

// fromUTF16 is text in UTF-8, without its mark. Half a character at the end is
// left out.
func fromUTF16(text []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(text)/2+len(text)/8)
	for ; len(text) > 1; text = text[2:] {
		r := rune(order.Uint16(text))
		if utf16.IsSurrogate(r) && len(text) > 3 {
			if pair := utf16.DecodeRune(r, rune(order.Uint16(text[2:]))); pair != utf8.RuneError {
				r, text = pair, text[2:]
			}
		}
		out = utf8.AppendRune(out, r)
	}
	return bytes.TrimPrefix(out, []byte("\xef\xbb\xbf"))
}

// recoded is a file of UTF-16 in UTF-8; any other is as it is.
func recoded(in *decode.Input) (out *decode.Input, changed bool, err error) {
	head, err := in.Head()
	if err != nil {
		return nil, false, err
	}
	order := order(head)
	if order == nil {
		return in, false, nil
	}
	doc, err := whole(in)
	if err != nil {
		return nil, true, err
	}
	text := fromUTF16(doc.data, order)
	return &decode.Input{Path: in.Path, Size: int64(len(text)), ReaderAt: bytes.NewReader(text)}, true, nil
}
