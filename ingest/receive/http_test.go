package receive_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/receive"
)

// TestHTTP: both encodings, plain and packed, are one trace; the same again
// adds nothing.
func TestHTTP(t *testing.T) {
	b := start(t, receive.Options{})
	body := proto(t, spans(1, 3))
	json, err := spans(1, 3).MarshalJSON()
	require.NoError(t, err)
	for _, tc := range []struct {
		body    []byte
		headers []string
	}{
		{body, nil},
		{body, []string{"Content-Type", "application/x-protobuf; charset=utf-8"}},
		{packed(t, body), []string{"Content-Encoding", "gzip"}},
		{json, []string{"Content-Type", "application/json"}},
		{packed(t, json), []string{"Content-Type", "application/json", "Content-Encoding", "gzip"}},
	} {
		resp, answer := post(t, b.url, tc.body, tc.headers...)
		assert.Equal(t, http.StatusOK, resp.StatusCode, "%v: %s", tc.headers, answer)
		assert.Equal(t, 3, b.units(t), "durable when it is answered")
	}
	batches := b.stored(t, 5)
	assert.Equal(t, batches[0].Receipt.Runs, batches[0].Ended, "the root has ended")
	for _, batch := range batches {
		assert.Equal(t, batches[0].Receipt.Runs, batch.Receipt.Runs)
	}
}

func TestPartialSuccess(t *testing.T) {
	b := start(t, receive.Options{})
	req := spans(1, 3)
	req.Traces().ResourceSpans().At(0).ScopeSpans().At(0).Spans().At(2).SetSpanID([8]byte{})
	_, answer := post(t, b.url, proto(t, req))
	resp := ptraceotlp.NewExportResponse()
	require.NoError(t, resp.UnmarshalProto(answer))
	assert.EqualValues(t, 1, resp.PartialSuccess().RejectedSpans())
	assert.NotEmpty(t, resp.PartialSuccess().ErrorMessage())
	assert.Equal(t, 2, b.units(t))
	assert.Equal(t, 1, b.stored(t, 1)[0].Receipt.Quarantined, "nothing is dropped silently")
}

func TestRefused(t *testing.T) {
	b := start(t, receive.Options{MaxRequest: 1000, Token: "s3"})
	ok := []string{"Authorization", "Bearer s3"}
	with := func(h ...string) []string { return append(append([]string{}, ok...), h...) }
	bomb := packed(t, bytes.Repeat([]byte{0}, 1<<20))
	require.Less(t, len(bomb), 2000)
	for name, tc := range map[string]struct {
		url     string
		body    []byte
		headers []string
		want    int
	}{
		"no token":      {b.url, proto(t, spans(1, 1)), nil, 401},
		"wrong token":   {b.url, proto(t, spans(1, 1)), []string{"Authorization", "Bearer s33"}, 401},
		"other signal":  {"http://" + b.addr + "/v1/metrics", nil, ok, 404},
		"other type":    {b.url, nil, with("Content-Type", "text/plain"), 415},
		"other packing": {b.url, nil, with("Content-Encoding", "br"), 415},
		"not packed":    {b.url, []byte("no"), with("Content-Encoding", "gzip"), 400},
		"too large":     {b.url, make([]byte, 1001), ok, 413},
		"bomb":          {b.url, bomb, with("Content-Encoding", "gzip"), 413},
		"no protobuf":   {b.url, []byte("\xff\xff\xff"), ok, 400},
		"no JSON":       {b.url, []byte(`{"resourceSpans":[`), with("Content-Type", "application/json"), 400},
	} {
		resp, answer := post(t, tc.url, tc.body, tc.headers...)
		assert.Equal(t, tc.want, resp.StatusCode, "%s: %s", name, answer)
		assert.NotEmpty(t, answer, "%s: a status says why", name)
		assert.Empty(t, resp.Header.Get("Retry-After"), "%s: it can never succeed", name)
	}
	assert.Zero(t, b.units(t))
	resp, _ := post(t, b.url, proto(t, spans(1, 1)), ok...)
	assert.Equal(t, 200, resp.StatusCode)
}

// TestNoSecretInErrors: the answer quotes what it cannot read, without
// secrets.
func TestNoSecretInErrors(t *testing.T) {
	b := start(t, receive.Options{})
	secret := "sk-ant-" + "api03-" + "Zk3Vq9Xw2Lp7Rt5Yb8Nc4Md6Fg1Hj0Ks"
	_, answer := post(t, b.url, []byte(`{"resourceSpans":[{"x":"`+secret+`"`), "Content-Type", "application/json")
	assert.NotContains(t, string(answer), secret)
}

// TestFailure: what could not be stored is refused as retryable, and what was
// sent again counts once.
func TestFailure(t *testing.T) {
	b := start(t, receive.Options{})
	b.locked(func() { b.fail = errors.New("disk is full") })
	body := proto(t, spans(1, 3))
	for range 2 {
		resp, answer := post(t, b.url, body)
		assert.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
		assert.NotEmpty(t, resp.Header.Get("Retry-After"))
		assert.Contains(t, string(answer), "disk is full")
	}
	b.locked(func() {
		b.fail = nil
		assert.Len(t, b.failed, 2)
		assert.Empty(t, b.batches)
	})
	resp, _ := post(t, b.url, body)
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Equal(t, 3, b.units(t))
}

// TestLocked: a store that another process holds is waited for, not for ever.
func TestLocked(t *testing.T) {
	b := start(t, receive.Options{Patience: 200 * time.Millisecond})
	b.locked(func() { b.openErr = fmt.Errorf("open: %w", ingest.ErrLocked) })
	resp, _ := post(t, b.url, proto(t, spans(1, 1)))
	assert.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
	time.AfterFunc(50*time.Millisecond, func() { b.locked(func() { b.openErr = nil }) })
	resp, _ = post(t, b.url, proto(t, spans(1, 1)))
	assert.Equal(t, http.StatusOK, resp.StatusCode)
}

// TestBusy: what finds no room is refused before it is read, as retryable; when
// the store is free again everything is taken.
func TestBusy(t *testing.T) {
	b := start(t, receive.Options{MaxRequest: 1000, Budget: 1000})
	hold := make(chan struct{})
	b.locked(func() { b.hold = hold })
	body := proto(t, spans(1, 4))
	require.Less(t, len(body), 1000)
	first := make(chan int)
	go func() {
		resp, _ := post(t, b.url, body)
		first <- resp.StatusCode
	}()
	b.waits(t)
	// The budget lacks room: what the first takes is not given back yet.
	resp, _ := post(t, b.url, proto(t, spans(2, 4)))
	assert.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
	assert.NotEmpty(t, resp.Header.Get("Retry-After"))
	b.locked(func() { b.hold = nil })
	close(hold)
	assert.Equal(t, http.StatusOK, <-first)
	resp, _ = post(t, b.url, proto(t, spans(2, 4)))
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	assert.Equal(t, 8, b.units(t))
}

// TestStall: clients that stop in the middle do not keep others out.
func TestStall(t *testing.T) {
	b := start(t, receive.Options{MaxRequest: 1000, Budget: 1000, ReadTimeout: 200 * time.Millisecond})
	conn, err := net.Dial("tcp", b.addr)
	require.NoError(t, err)
	defer conn.Close()
	fmt.Fprintf(conn, "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: 900\r\n\r\nhalf")
	resp, _ := post(t, b.url, proto(t, spans(1, 2)))
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	stalled, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err == nil { // it may also just be cut
		assert.Equal(t, http.StatusServiceUnavailable, stalled.StatusCode)
		stalled.Body.Close()
	}
	gone, err := net.Dial("tcp", b.addr)
	require.NoError(t, err)
	fmt.Fprintf(gone, "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: 900\r\n\r\nhalf")
	gone.Close()
	resp, _ = post(t, b.url, proto(t, spans(1, 2)))
	assert.Equal(t, http.StatusOK, resp.StatusCode)
}

// TestManyStall: clients that stall hold what they sent, not what they promised,
// so that any number of them leaves room.
func TestManyStall(t *testing.T) {
	b := start(t, receive.Options{MaxRequest: 1 << 20, Budget: 2 << 20})
	for range 50 {
		conn, err := net.Dial("tcp", b.addr)
		require.NoError(t, err)
		defer conn.Close()
		fmt.Fprintf(conn, "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: 1000000\r\n\r\nhalf")
	}
	for i := range 10 {
		resp, _ := post(t, b.url, proto(t, spans(byte(i+1), 2)))
		require.Equal(t, http.StatusOK, resp.StatusCode)
	}
}

// TestClose: what waits is stored and answered; what comes later is refused as
// retryable.
func TestClose(t *testing.T) {
	b := start(t, receive.Options{})
	hold := make(chan struct{})
	b.locked(func() { b.hold = hold })
	answered := make(chan int)
	for i := range 3 {
		go func() {
			resp, _ := post(t, b.url, proto(t, spans(byte(i+1), 2)))
			answered <- resp.StatusCode
		}()
	}
	b.waits(t) // those that do not queue in time are refused
	closed := make(chan struct{})
	go func() {
		b.Close()
		close(closed)
	}()
	close(hold)
	<-closed
	ok := 0
	for range 3 {
		if <-answered == http.StatusOK {
			ok++
		}
	}
	assert.Equal(t, 2*ok, b.units(t), "answered is stored")
	resp, _ := post(t, b.url, proto(t, spans(9, 1)))
	assert.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
}
