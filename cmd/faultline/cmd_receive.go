package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/receive"
	"github.com/faultline-dev/faultline/ingest/redact"
)

// receiveOptions are the flags of receive.
type receiveOptions struct {
	live       liveOptions
	grpc, http string
	cert, key  string
	tokenFile  string
	maxRequest int64
	buffer     int64
}

const receiveLong = `Receive OTLP traces until interrupted: over gRPC and HTTP, as protobuf and JSON,
plain or with gzip. A request is answered with success only when its spans are
durable; a client that hears anything else sends again, and spans that came
before are known by their ids.

Point an exporter at it:

  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:4318/v1/traces   (http/protobuf, http/json)
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://127.0.0.1:4317             (grpc)

Only this machine can reach it unless an address says otherwise. With
--tls-cert and --tls-key both ports speak TLS; with --token-file clients must
send the token in the file as "authorization: Bearer TOKEN". Of the signals,
only traces are served.

With --triage a run is classified when its root span has ended, when nothing
came for --idle, or at the end, and again when more came; each verdict is one
line. As JSON receipts are printed, too.

An interrupt or a termination signal stores what was received and ends with
exit 0, or 1 when --triage printed a finding.`

func newReceiveCommand(a *app) *cobra.Command {
	o := receiveOptions{}
	c := &cobra.Command{
		Use:   "receive",
		Short: "Receive OTLP traces over gRPC and HTTP",
		Long:  withExit(receiveLong, exitOK, exitFound, exitUsage, exitFailed),
		Args:  args(cobra.NoArgs),
		RunE:  func(c *cobra.Command, _ []string) error { return runReceive(c.Context(), a, o) },
	}
	o.live.add(a, c)
	f := c.Flags()
	f.StringVar(&o.grpc, "grpc", "127.0.0.1:4317", "listen for gRPC at `ADDRESS`; empty for not at all")
	f.StringVar(&o.http, "http", "127.0.0.1:4318", "listen for HTTP at `ADDRESS`; empty for not at all")
	f.StringVar(&o.cert, "tls-cert", "", "serve TLS with the certificate in `FILE` (PEM)")
	f.StringVar(&o.key, "tls-key", "", "serve TLS with the private key in `FILE` (PEM)")
	f.StringVar(&o.tokenFile, "token-file", "", "admit only clients that send the bearer token in `FILE`")
	f.Int64Var(&o.maxRequest, "max-request", receive.DefaultMaxRequest, "refuse requests of more than `BYTES`, unpacked")
	f.Int64Var(&o.buffer, "buffer", receive.DefaultBudget, "hold at most `BYTES` of requests; beyond that clients are told to wait")
	return c
}

func (o *receiveOptions) check() error {
	switch {
	case o.grpc == "" && o.http == "":
		return usagef("name one with --grpc or --http", "read the command line: no address to listen at")
	case (o.cert == "") != (o.key == ""):
		return usagef("name both --tls-cert and --tls-key", "read the command line: TLS takes a certificate and a key")
	case o.maxRequest <= 0 || o.maxRequest > 1<<30:
		return usagef("use --max-request 16777216, say", "read the command line: --max-request %d: must lie in 1 to 1073741824", o.maxRequest)
	case o.buffer < o.maxRequest:
		return usagef("use --buffer with at least the value of --max-request", "read the command line: --buffer %d: too small", o.buffer)
	}
	return o.live.check()
}

func runReceive(ctx context.Context, a *app, o receiveOptions) (err error) {
	if err := o.check(); err != nil {
		return err
	}
	token, config, err := o.secrets()
	if err != nil {
		return err
	}
	l := a.newLive(o.live)
	// The store must work before anything is accepted, and stays closed after.
	if err := l.probe(ctx); err != nil {
		return err
	}
	failed := make(chan error, 1)
	fail := func(err error) { // the first is enough to end
		select {
		case failed <- err:
		default:
		}
	}
	s := receive.New(receive.Options{
		Open: l.openBatch, Token: token, MaxRequest: o.maxRequest, Budget: o.buffer,
		Stored: func(b *receive.Batch) {
			if err := l.stored(b); err != nil {
				fail(err)
			}
		},
		Failed: func(err error) { a.say("%v; the clients are told to send again", err) },
	})
	servers, err := o.listen(a, s, config, token != "", fail)
	if err == nil {
		err = l.untilDone(ctx, failed)
	}
	// Connections first, so that nothing comes in any more; then what waits.
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), receive.DefaultReadTimeout)
	defer cancel()
	for _, server := range servers {
		if serr := server.Shutdown(stop); serr != nil {
			server.Close()
		}
	}
	err = errors.Join(err, s.Close())
	return l.ending(errors.Join(err, l.judge(stop, time.Now(), true, false)))
}

// secrets reads the token and the certificate.
func (o *receiveOptions) secrets() (token string, config *tls.Config, err error) {
	if o.tokenFile != "" {
		data, err := os.ReadFile(o.tokenFile)
		if err != nil {
			return "", nil, usagef("name a file that holds the token", "read the token: %v", err)
		}
		if token = string(bytes.TrimSpace(data)); token == "" {
			return "", nil, usagef("write a token into it", "read the token: %s: empty", o.tokenFile)
		}
	}
	if o.cert != "" {
		pair, err := tls.LoadX509KeyPair(o.cert, o.key)
		if err != nil {
			return "", nil, usagef("name a certificate and its key in PEM", "read the certificate: %v", err)
		}
		config = &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	return token, config, nil
}

// listen opens both ports, or none, and serves them.
func (o *receiveOptions) listen(a *app, s *receive.Server, config *tls.Config, token bool, fail func(error)) (servers []*http.Server, err error) {
	for _, port := range []struct{ name, address string }{{"gRPC", o.grpc}, {"HTTP", o.http}} {
		if port.address == "" {
			continue
		}
		ln, err := net.Listen("tcp", port.address)
		if err != nil {
			return servers, refusedAddress(port.name, port.address, err)
		}
		server := s.HTTPServer()
		server.TLSConfig = config
		server.ErrorLog = log.New(saying{a}, "", 0)
		servers = append(servers, server)
		a.say("receiving OTLP over %s at %s", port.name, ln.Addr())
		if !loopback(ln.Addr()) && (config == nil || !token) {
			a.say("%s can be reached from other machines, without TLS or without a token", ln.Addr())
		}
		go func() {
			serve := server.Serve
			if config != nil {
				serve = func(l net.Listener) error { return server.ServeTLS(l, "", "") }
			}
			if err := serve(ln); !errors.Is(err, http.ErrServerClosed) {
				fail(fmt.Errorf("serve %s at %s: %w", port.name, ln.Addr(), err))
			}
		}()
	}
	return servers, nil
}

// refusedAddress is the error of an address that cannot be listened at.
func refusedAddress(name, address string, err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("listen for %s at %s: %w", name, address, err)
	}
	return usagef("name an address of this machine with --"+strings.ToLower(name)+", as in 127.0.0.1:4318", "listen for %s at %s: %v", name, address, err)
}

// saying makes lines of progress of what the HTTP server has to say.
type saying struct{ app *app }

func (s saying) Write(line []byte) (int, error) {
	s.app.say("%s", bytes.TrimSpace(line))
	return len(line), nil
}

func loopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// probe opens and closes the store.
func (l *live) probe(ctx context.Context) (err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, err := l.open(ctx)
	if err != nil {
		return err
	}
	return s.Close()
}

// openBatch opens the store for a receiver; closing it gives mu back.
func (l *live) openBatch() (ingest.Store, *redact.Redactor, error) {
	l.mu.Lock()
	s, err := l.app.openNow(l.o.redact)
	if err != nil {
		l.mu.Unlock()
		return nil, nil, err
	}
	b := &batchStore{Store: s, done: l.mu.Unlock}
	r, err := redactorOf(s)
	if err != nil {
		return nil, nil, errors.Join(err, b.Close())
	}
	return b, r, nil
}

// batchStore is a store that tells when it was closed.
type batchStore struct {
	ingest.Store
	once sync.Once
	done func()
}

func (b *batchStore) Close() error {
	defer b.once.Do(b.done)
	return b.Store.Close()
}

// stored takes note of a batch.
func (l *live) stored(b *receive.Batch) error {
	l.met(time.Now(), b.Receipt.Runs, b.Ended)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.receipt(b.Receipt)
}

// tick is how often a receiver looks for runs that are complete.
const tick = 500 * time.Millisecond

// untilDone judges runs as they are complete, until the context ends.
func (l *live) untilDone(ctx context.Context, failed <-chan error) error {
	timer := time.NewTicker(tick)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case now := <-timer.C:
			if err := l.judge(ctx, now, false, false); err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
		}
	}
}
