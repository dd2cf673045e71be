package dialect

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/script"
)

func ordering() Reply {
	return Reply{ID: "r1", Say: "I order it.", TokensIn: 3, TokensOut: 5, Calls: []Call{
		{ID: "c1", Name: "create_order", Args: jsontext.Value(`{"sku":"mug","qty":2}`)},
		{ID: "c2", Name: "create_order", Args: jsontext.Value(`{"sku":"cup","qty":1}`)},
	}}
}

// answer asks a server that writes the reply, and gives the body as far as it
// came.
func answer(t *testing.T, name Name, stream bool, a Reply, cut Cut) (http.Header, string, error) {
	t.Helper()
	written := make(chan error, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		written <- Write(w, &Request{Dialect: name, Model: "m", Stream: stream}, a, cut)
	}))
	defer srv.Close()
	resp, err := http.Get(srv.URL)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, readErr := io.ReadAll(resp.Body)
	writeErr := <-written
	if cut == Whole {
		require.NoError(t, writeErr)
		require.NoError(t, readErr)
	} else {
		require.ErrorIs(t, writeErr, ErrCut)
		require.True(t, errors.Is(readErr, io.ErrUnexpectedEOF), "%v", readErr)
	}
	return resp.Header, string(body), readErr
}

// arguments are what a client puts together of a streamed body: by call, the
// pieces of its arguments.
func arguments(t *testing.T, name Name, body string) map[string]string {
	t.Helper()
	out, byIndex := map[string]string{}, map[string]string{}
	for line := range strings.Lines(body) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var e struct {
			Index       int                 `json:"index"`
			OutputIndex int                 `json:"output_index"`
			Delta       jsontext.Value      `json:"delta"`
			Block       struct{ ID string } `json:"content_block"`
			Item        struct {
				CallID string `json:"call_id"`
			} `json:"item"`
			Choices []struct {
				Delta struct {
					Calls []struct {
						Index    int
						ID       string
						Function struct{ Arguments string }
					} `json:"tool_calls"`
				}
			}
			Candidates []struct {
				Content struct {
					Parts []struct {
						Call struct {
							ID   string
							Args jsontext.Value
						} `json:"functionCall"`
					}
				}
			}
		}
		if json.Unmarshal([]byte(data), &e, json.MatchCaseInsensitiveNames(true)) != nil {
			continue // half an event
		}
		key := func(i int) string { return string(rune('a' + i)) }
		var delta struct {
			Partial string `json:"partial_json"`
		}
		switch name {
		case Chat:
			for _, ch := range e.Choices {
				for _, c := range ch.Delta.Calls {
					if c.ID != "" {
						byIndex[key(c.Index)] = c.ID
					}
					out[byIndex[key(c.Index)]] += c.Function.Arguments
				}
			}
		case Messages:
			if e.Block.ID != "" {
				byIndex[key(e.Index)] = e.Block.ID
			}
			if json.Unmarshal(e.Delta, &delta) == nil && delta.Partial != "" {
				out[byIndex[key(e.Index)]] += delta.Partial
			}
		case Responses:
			if e.Item.CallID != "" {
				byIndex[key(e.OutputIndex)] = e.Item.CallID
			}
			var piece string
			if strings.Contains(data, `"response.function_call_arguments.delta"`) && json.Unmarshal(e.Delta, &piece) == nil {
				out[byIndex[key(e.OutputIndex)]] += piece
			}
		case Gemini:
			for _, c := range e.Candidates {
				for _, p := range c.Content.Parts {
					if p.Call.ID != "" {
						out[p.Call.ID] = string(p.Call.Args)
					}
				}
			}
		}
	}
	return out
}

// TestStream: a client gets both calls whole, or as much as the cut leaves.
func TestStream(t *testing.T) {
	ends := map[Name]string{Chat: "data: [DONE]", Responses: "event: response.completed", Messages: "event: message_stop", Gemini: `"finishReason":"STOP"`}
	for name, end := range ends {
		t.Run(string(name), func(t *testing.T) {
			h, body, _ := answer(t, name, true, ordering(), Whole)
			require.Equal(t, "text/event-stream", h.Get("Content-Type"))
			got := arguments(t, name, body)
			require.Len(t, got, 2)
			require.JSONEq(t, `{"sku":"mug","qty":2}`, got["c1"])
			require.JSONEq(t, `{"sku":"cup","qty":1}`, got["c2"])
			require.Contains(t, body, end)

			_, body, _ = answer(t, name, true, ordering(), BeforeBody)
			require.Empty(t, body)

			_, body, _ = answer(t, name, true, ordering(), InsideCall)
			require.NotEmpty(t, body)
			cut := arguments(t, name, body)["c1"]
			require.False(t, jsontext.Value(cut).IsValid(), "the arguments are half there: %s", cut)

			_, body, _ = answer(t, name, true, ordering(), AfterCall)
			got = arguments(t, name, body)
			require.JSONEq(t, `{"sku":"mug","qty":2}`, got["c1"])
			require.NotContains(t, got, "c2")
			require.NotContains(t, body, end)
		})
	}
}

// TestWhole: the same without streaming.
func TestWhole(t *testing.T) {
	for name := range bodies {
		h, body, _ := answer(t, name, false, ordering(), Whole)
		require.Equal(t, "application/json", h.Get("Content-Type"))
		require.True(t, jsontext.Value(body).IsValid())
		require.Contains(t, body, "c1")
		require.Contains(t, body, "I order it.")
		for _, cut := range []Cut{BeforeBody, InsideCall, AfterCall} {
			_, body, _ = answer(t, name, false, ordering(), cut)
			require.False(t, jsontext.Value(body).IsValid())
		}
	}
}

// TestStops: every dialect says in its own words why the answer ended.
func TestStops(t *testing.T) {
	for stop, words := range map[script.Stop]map[Name]string{
		"":               {Chat: `"finish_reason":"tool_calls"`, Responses: `"status":"completed"`, Messages: `"stop_reason":"tool_use"`, Gemini: `"STOP"`},
		script.Refusal:   {Chat: `"refusal":"`, Responses: `"type":"refusal"`, Messages: `"stop_reason":"refusal"`, Gemini: `"SAFETY"`},
		script.Filter:    {Chat: `"content_filter"`, Responses: `"reason":"content_filter"`, Messages: `"stop_reason":"refusal"`, Gemini: `"SAFETY"`},
		script.MaxTokens: {Chat: `"length"`, Responses: `"reason":"max_output_tokens"`, Messages: `"max_tokens"`, Gemini: `"MAX_TOKENS"`},
	} {
		for name, word := range words {
			a := ordering()
			if a.Stop = stop; stop != "" {
				a.Calls = nil
			}
			for _, stream := range []bool{true, false} {
				_, body, _ := answer(t, name, stream, a, Whole)
				require.Contains(t, body, word, "%s %s", name, stop)
			}
		}
	}
}

func TestRefuseAndSide(t *testing.T) {
	for name := range bodies {
		w := httptest.NewRecorder()
		Refuse(w, name, 503, "try later")
		require.Equal(t, 503, w.Code)
		require.Contains(t, w.Body.String(), "try later")
	}
	for _, asked := range [][2]string{{"POST", "/v1/messages/count_tokens"}, {"POST", "/v1beta/models/m:countTokens"}, {"GET", "/v1/models"}} {
		w := httptest.NewRecorder()
		require.True(t, Side(w, httptest.NewRequest(asked[0], asked[1], nil)))
		require.True(t, jsontext.Value(w.Body.String()).IsValid())
	}
	require.False(t, Side(httptest.NewRecorder(), httptest.NewRequest("POST", "/v1/messages", nil)))
}
