package world

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
)

// plays reports that the world still answers a whole script.
func (st *stage) plays(t *testing.T) {
	t.Helper()
	said, err := st.client(t, dialect.Chat, "create_order").run()
	require.NoError(t, err)
	require.Equal(t, "The order is placed.", said)
}

// TestHalf: half a request is nobody's request: no failure, and the next is
// answered.
func TestHalf(t *testing.T) {
	st := open(t, shop(""), Options{})
	for _, addr := range []string{st.model, st.tools} {
		for _, half := range []string{"", "PO", "POST /v1/messages HTTP/1.1\r\n", "POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{",
			"POST /http/shop/orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"} {
			c, err := net.Dial("tcp", strings.TrimPrefix(addr, "http://"))
			require.NoError(t, err)
			_, err = io.WriteString(c, half)
			require.NoError(t, err)
			require.NoError(t, c.Close())
		}
	}
	st.plays(t)
	require.Empty(t, st.Failures())
	require.Equal(t, 1, st.effects())
}

// TestHuge: a body of 100 MB is refused, and not held.
func TestHuge(t *testing.T) {
	st := open(t, shop(""), Options{})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, url := range []string{st.model + "/v1/messages", st.tools + "/http/shop/orders", st.model + "/elsewhere"} {
		resp, err := http.Post(url, "application/json", io.LimitReader(zeros{}, 100<<20))
		if err == nil { // the connection may end before the answer is read
			require.GreaterOrEqual(t, resp.StatusCode, 400, url)
			resp.Body.Close()
		}
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.HeapInuse, before.HeapInuse+256<<20)
	require.Equal(t, int64(maxHeld), st.budget.Load())
	st.plays(t)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestFlood: many at once are all counted, and the cap holds.
func TestFlood(t *testing.T) {
	st := open(t, shop(""), Options{MaxRequests: 50})
	body := st.client(t, dialect.Chat, "create_order").body()
	var wg sync.WaitGroup
	for range 300 {
		wg.Go(func() {
			if resp, err := http.Post(st.model+"/v1/chat/completions", "application/json", bytes.NewReader(body)); err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			if resp, err := http.Post(st.tools+"/http/shop/orders", "application/json", strings.NewReader(`{"account":1,"sku":"a"}`)); err == nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	wg.Wait()
	require.Equal(t, 300, st.effects())
	require.Len(t, texts(st.Failures(), Cap), 1)
	asked := 0
	for i, e := range st.Ledger() {
		require.Equal(t, i+1, e.Seq)
		if e.Kind == "model-request" {
			asked++
		}
	}
	require.Equal(t, 50, asked)
}

// TestToolFlood: calls of tools have a cap of their own.
func TestToolFlood(t *testing.T) {
	over := make(chan bool, 1)
	st := open(t, shop(""), Options{MaxRequests: 1, Over: func() { over <- true }})
	c := st.client(t, dialect.Chat)
	for range 12 {
		_, err := c.send("create_order", []byte(`{"account":1,"sku":"a"}`))
		require.NoError(t, err)
	}
	<-over
	require.Equal(t, 10, st.effects())
	require.Equal(t, []string{"more than 10 calls of tools"}, texts(st.Failures(), Cap))
}

// TestSlow: clients that send a byte now and then hold up nobody, and Close does
// not wait for them, nor for those that wait for a lost reply.
func TestSlow(t *testing.T) {
	st := open(t, faultyLost(), Options{})
	for i := range 100 {
		for _, addr := range []string{st.model, st.tools, "http://" + st.control} {
			c, err := net.Dial("tcp", strings.TrimPrefix(addr, "http://"))
			require.NoError(t, err)
			defer c.Close()
			fmt.Fprintf(c, "POST /%d HTTP/1.1\r\nX-", i)
		}
	}
	go http.Post(st.tools+"/http/shop/orders", "application/json", strings.NewReader(`{"account":1,"sku":"a"}`))
	require.Eventually(t, func() bool { return st.effects() == 1 }, 5*time.Second, time.Millisecond)
	st.plays(t)
	closed := make(chan bool)
	go func() { st.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(10 * time.Second):
		t.Fatal("Close does not return")
	}
}

func faultyLost() string { return faulty("committed-not-replied", "") }

// TestHostileTexts: what stands in a script or a request is data: it reaches the
// ledger short and valid, and nothing else.
func TestHostileTexts(t *testing.T) {
	st := open(t, shop(""), Options{})
	resp, err := http.Post(st.tools+"/http/shop/"+strings.Repeat("%1b%5b2J", 5000), "text/plain", strings.NewReader("\xff\x00"))
	require.NoError(t, err)
	resp.Body.Close()
	p, err := st.shim(t, argv("gh\n\x1b[2J", strings.Repeat("x", 1<<20)))
	require.NoError(t, err)
	require.Equal(t, 127, p.Exit)
	for _, f := range st.Failures() {
		require.Less(t, len(f.Text), 400)
	}
	resp, err = http.Post(st.tools+"/http/shop/orders", "application/json", strings.NewReader(`{"account":{"$(rm -rf /)":["`+"`id`"+`"]},"sku":"\ud800"}`))
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, 201, resp.StatusCode)
	require.Equal(t, 1, st.effects())
}
