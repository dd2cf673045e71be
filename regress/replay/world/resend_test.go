package world

import (
	"bytes"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// resent is who sent again, by the ledger.
func (st *stage) resent() (by []string) {
	for _, e := range st.Ledger() {
		if e.Kind == "call" && e.By != "" {
			by = append(by, e.By)
		}
	}
	return by
}

// TestWho: the same duplicate, sent by four hands.
func TestWho(t *testing.T) {
	text := faulty(script.CommittedNotReplied, "")
	order := []byte(`{"account":17,"sku":"mug-red"}`)
	start := func(t *testing.T) *client {
		st := open(t, text, Options{Late: late})
		c := st.client(t, dialect.Chat, "create_order")
		c.timeout = timeout
		_, calls, err := c.ask()
		require.NoError(t, err)
		_, err = c.send(calls[0].Name, calls[0].Args)
		require.ErrorIs(t, err, errNoAnswer)
		return c
	}
	again := func(c *client, name, value string) {
		req, err := http.NewRequest("POST", c.st.tools+"/http/shop/orders", bytes.NewReader(order))
		require.NoError(c.t, err)
		req.Header.Set(name, value)
		resp, err := c.http.Do(req)
		require.NoError(c.t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(c.t, err)
		resp.Body.Close()
	}
	t.Run("wrapper", func(t *testing.T) {
		c := start(t)
		again(c, "X-Request-Id", "2")
		require.Equal(t, []string{"wrapper"}, c.st.resent())
	})
	t.Run("sdk", func(t *testing.T) {
		c := start(t)
		again(c, "X-Stainless-Retry-Count", "1")
		require.Equal(t, []string{"sdk"}, c.st.resent())
	})
	t.Run("sdk, by connection", func(t *testing.T) {
		c := start(t)
		again(c, "X-Request-Id", "2") // on a new connection, which stays open
		again(c, "X-Request-Id", "3")
		require.Equal(t, []string{"wrapper", "sdk"}, c.st.resent())
	})
	t.Run("model", func(t *testing.T) {
		c := start(t)
		c.result(*c.history[len(c.history)-1].call, "request timed out")
		_, calls, err := c.ask()
		require.NoError(t, err)
		c.carry(calls[0])
		require.Equal(t, []string{"model"}, c.st.resent())
	})
	t.Run("loop", func(t *testing.T) {
		c := start(t)
		c.result(*c.history[len(c.history)-1].call, `{"id":"order-made-up","status":"created"}`)
		_, calls, err := c.ask()
		require.NoError(t, err)
		require.Empty(t, calls)
		again(c, "X-Request-Id", "2") // nobody asked for it
		require.Equal(t, []string{"loop"}, c.st.resent())
	})
	t.Run("loop, after a restart", func(t *testing.T) {
		c := start(t)
		c.st.Restarted()
		again(c, "X-Request-Id", "2")
		require.Equal(t, []string{"loop"}, c.st.resent())
	})
}

// TestKey: an idempotency key makes one effect of many calls, and the same key
// for another call is refused. Who sends it again with its key is the SDK.
func TestKey(t *testing.T) {
	text := `{"version":1,"prompt":"p","turns":[{"id":"a","say":"x","need":"may"}],
 "tools":[{"name":"create_order","via":"http","server":"shop","method":"POST","path":"/orders","effect":"create","resource":"order","identity":["sku"],"key":"Idempotency-Key"}],"expect":[]}`
	st := open(t, text, Options{})
	post := func(key, body string) int {
		req, err := http.NewRequest("POST", st.tools+"/http/shop/orders", bytes.NewReader([]byte(body)))
		require.NoError(t, err)
		req.Header.Set("Idempotency-Key", key)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	require.Equal(t, 201, post("k1", `{"sku":"a"}`))
	require.Equal(t, 201, post("k1", `{"sku":"a"}`))
	require.Equal(t, 409, post("k1", `{"sku":"b"}`))
	require.Equal(t, 201, post("k2", `{"sku":"a"}`))
	require.Equal(t, 422, post("k3", `{}`))
	require.Equal(t, 2, st.effects())
	require.Equal(t, "sdk", st.Ledger()[3].By)
	require.Equal(t, st.Ledger()[1].Resource, st.Ledger()[3].Resource)
}

// TestCutAndRunTwice: a harness that carries out the call of a cut stream and
// then that of the repeated one did it by itself: the model asked once.
func TestCutAndRunTwice(t *testing.T) {
	st := open(t, faulty(script.StreamCutAfterCall, ""), Options{Late: time.Second})
	c := st.client(t, dialect.Chat, "create_order")
	_, _, err := c.ask()
	require.Error(t, err)
	_, err = c.send("create_order", []byte(`{"account":17,"sku":"mug-red"}`))
	require.NoError(t, err)
	_, calls, err := c.ask()
	require.NoError(t, err)
	c.carry(calls[0])
	require.Equal(t, []string{"loop"}, st.resent())
	require.Equal(t, 2, st.effects())
}
