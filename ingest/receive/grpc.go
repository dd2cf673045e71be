package receive

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
)

// exportMethod is the one method of the trace service.
const exportMethod = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"

// frameHead is what stands before a message: whether it is packed, and its
// length.
const frameHead = 5

// serveGRPC answers a call of one message each way. It reads the frame itself:
// a gRPC server takes a body in before anyone can ask how much of it.
func (s *Server) serveGRPC(w http.ResponseWriter, r *http.Request) {
	s.deadline(w)
	answer, err := s.exportGRPC(r)
	header := w.Header()
	header.Set("Content-Type", typeGRPC)
	header.Set("Grpc-Accept-Encoding", "gzip,identity")
	if err == nil {
		frame := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(answer)))
		_, err = w.Write(append(frame, answer...)) // a client that is gone sends again
	}
	w.WriteHeader(http.StatusOK)
	st := status.Convert(err)
	header.Set(http.TrailerPrefix+"Grpc-Status", strconv.Itoa(int(st.Code())))
	header.Set(http.TrailerPrefix+"Grpc-Message", url.PathEscape(st.Message()))
	if details, err := proto.Marshal(st.Proto()); err == nil && len(st.Details()) > 0 {
		header.Set(http.TrailerPrefix+"Grpc-Status-Details-Bin", base64.RawStdEncoding.EncodeToString(details))
	}
}

// exportGRPC returns the answer, or an error that is a status.
func (s *Server) exportGRPC(r *http.Request) ([]byte, error) {
	switch {
	case r.URL.Path != exportMethod:
		return nil, status.Errorf(codes.Unimplemented, "%s: only %s is served", r.URL.Path, exportMethod)
	case !s.admits(r.Header.Get("Authorization")):
		return nil, status.Error(codes.Unauthenticated, errToken.Error())
	}
	room := s.reserve()
	body, err := readFrame(r, room, s.o.MaxRequest)
	if err != nil {
		room.release()
		return nil, err
	}
	res, err := s.export(r.Context(), body, false, room)
	switch {
	case errors.As(err, &retryable{}):
		return nil, again(err)
	case err != nil:
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return response(res).MarshalProto()
}

// readFrame reads and unpacks the message of a call.
func readFrame(r *http.Request, room *room, limit int64) ([]byte, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r.Body, head[:]); err != nil {
		return nil, status.Errorf(codes.InvalidArgument, "read the request: %v", err)
	}
	length := int64(binary.BigEndian.Uint32(head[1:]))
	if length > limit {
		return nil, status.Errorf(codes.ResourceExhausted, "%v: %d bytes", errTooLarge, limit)
	}
	encoding := ""
	if head[0] != 0 {
		encoding = r.Header.Get("Grpc-Encoding")
	}
	message := &io.LimitedReader{R: r.Body, N: length}
	body, err := readBody(r.Context(), message, encoding, room, length, limit)
	switch {
	case err == nil && message.N > 0 && encoding == "":
		return nil, status.Error(codes.InvalidArgument, "read the request: it is shorter than it says")
	case errors.Is(err, errBusy):
		return nil, again(err)
	case errors.Is(err, errTooLarge):
		return nil, status.Error(codes.ResourceExhausted, err.Error())
	case errors.Is(err, errEncoding):
		return nil, status.Error(codes.Unimplemented, err.Error())
	case err != nil:
		return nil, status.Error(codes.InvalidArgument, err.Error())
	}
	return body, nil
}

// again is a refusal after which a client may send the same once more. Without
// RetryInfo clients take RESOURCE_EXHAUSTED as final.
func again(cause error) error {
	st := status.New(codes.Unavailable, cause.Error())
	if errors.Is(cause, errBusy) {
		st = status.New(codes.ResourceExhausted, cause.Error())
	}
	detailed, err := st.WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(retryAfter)})
	if err != nil {
		return st.Err()
	}
	return detailed.Err()
}
