package receive

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

const (
	tracesPath  = "/v1/traces"
	typeJSON    = "application/json"
	typeProto   = "application/x-protobuf"
	typeGRPC    = "application/grpc"
	retryAfter  = time.Second
	headerBytes = 64 << 10
)

var (
	errTooLarge = errors.New("the request is larger than this receiver takes")
	errBusy     = errors.New("the receiver is busy")
	errToken    = errors.New("a bearer token is missing or wrong")
	errEncoding = errors.New("the encoding is not one of gzip and none")
)

// HTTPServer returns an http.Server that serves s over HTTP/1 and HTTP/2, with
// or without TLS.
func (s *Server) HTTPServer() *http.Server {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler: s, Protocols: protocols, MaxHeaderBytes: headerBytes,
		ReadHeaderTimeout: s.o.ReadTimeout, IdleTimeout: 2 * time.Minute,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: 64, MaxReceiveBufferPerConnection: 1 << 20, MaxReceiveBufferPerStream: 256 << 10},
	}
}

// ServeHTTP answers OTLP over HTTP and over gRPC.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 2 && strings.HasPrefix(r.Header.Get("Content-Type"), typeGRPC) {
		s.serveGRPC(w, r)
		return
	}
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.URL.Path != tracesPath:
		refuse(w, kind, http.StatusNotFound, fmt.Errorf("%s: only %s is served", r.URL.Path, tracesPath))
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, kind, http.StatusMethodNotAllowed, fmt.Errorf("%s: only POST is served", r.Method))
	case kind != typeJSON && kind != typeProto:
		refuse(w, kind, http.StatusUnsupportedMediaType, fmt.Errorf("content type %q: send %s or %s", kind, typeProto, typeJSON))
	case !s.admits(r.Header.Get("Authorization")):
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, kind, http.StatusUnauthorized, errToken)
	default:
		s.serveTraces(w, r, kind)
	}
}

// admits compares in constant time, so that no answer tells how much of a
// guess was right.
func (s *Server) admits(authorization string) bool {
	want := "Bearer " + s.o.Token
	return s.o.Token == "" || subtle.ConstantTimeCompare([]byte(authorization), []byte(want)) == 1
}

func (s *Server) serveTraces(w http.ResponseWriter, r *http.Request, kind string) {
	s.deadline(w)
	room := s.reserve()
	body, err := readBody(r.Context(), r.Body, r.Header.Get("Content-Encoding"), room, r.ContentLength, s.o.MaxRequest)
	if err != nil {
		room.release()
		refuse(w, kind, readStatus(err), err)
		return
	}
	res, err := s.export(r.Context(), body, kind == typeJSON, room)
	switch {
	case errors.As(err, &retryable{}):
		refuse(w, kind, http.StatusServiceUnavailable, err)
	case err != nil:
		refuse(w, kind, http.StatusBadRequest, err)
	default:
		accept(w, kind, res)
	}
}

// deadline bounds how long a client may take to send its body.
func (s *Server) deadline(w http.ResponseWriter) {
	// A server that cannot set one has its own bounds.
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(s.o.ReadTimeout))
}

func readStatus(err error) int {
	switch {
	case errors.Is(err, errBusy), errors.Is(err, os.ErrDeadlineExceeded):
		// A body may come late because it waits for room here, and exporters do not
		// send again what was answered with 408.
		return http.StatusServiceUnavailable
	case errors.Is(err, errTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errEncoding):
		return http.StatusUnsupportedMediaType
	}
	return http.StatusBadRequest
}

// accept answers with success, in the type of the request.
func accept(w http.ResponseWriter, kind string, res result) {
	out := response(res)
	marshal := out.MarshalProto
	if kind == typeJSON {
		marshal = out.MarshalJSON
	}
	body, err := marshal()
	if err != nil {
		refuse(w, kind, http.StatusInternalServerError, err)
		return
	}
	w.Header().Set("Content-Type", kind)
	_, _ = w.Write(body) // a client that is gone sends again
}

// response is the answer to an export.
func response(res result) ptraceotlp.ExportResponse {
	out := ptraceotlp.NewExportResponse()
	if res.rejected > 0 {
		out.PartialSuccess().SetRejectedSpans(int64(res.rejected))
		out.PartialSuccess().SetErrorMessage(res.cause)
	}
	return out
}

// refuse answers with an error as the protocol wants it: a google.rpc.Status
// in the type of the request.
func refuse(w http.ResponseWriter, kind string, code int, cause error) {
	st := status.New(grpcCode(code), cause.Error()).Proto()
	body, err := proto.Marshal(st)
	if kind == typeJSON {
		body, err = protojson.Marshal(st)
	} else {
		kind = typeProto
	}
	if err != nil {
		body = nil
	}
	if code == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(code)
	_, _ = w.Write(body)
}

func grpcCode(code int) codes.Code {
	switch code {
	case http.StatusUnauthorized:
		return codes.Unauthenticated
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return codes.Unimplemented
	case http.StatusServiceUnavailable:
		return codes.Unavailable
	}
	return codes.InvalidArgument
}
