//go:build unix

package world

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/faultline-dev/faultline/regress/replay/dialect"
	"github.com/faultline-dev/faultline/regress/script"
)

// cpu is what this process used, user and system.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPlay plays a case with a fault from a new world to its ledger. The
// CPU time is that of the world and of the small client together.
func BenchmarkPlay(b *testing.B) {
	s, err := script.Parse("b", []byte(faulty(script.PersistedNotDispatched, `,"kill":true`)))
	require.NoError(b, err)
	text := string(s.Bytes())
	before := cpu(b)
	for b.Loop() {
		st := open(b, text, Options{Kill: func(script.Point) {}})
		c := st.client(b, dialect.Chat, "create_order")
		_, calls, err := c.ask()
		require.NoError(b, err)
		_, err = c.send(calls[0].Name, calls[0].Args)
		require.ErrorIs(b, err, errNoAnswer)
		st.Restarted()
		c.http.CloseIdleConnections()
		c.history = c.history[:1]
		_, err = c.run()
		require.NoError(b, err)
		require.Equal(b, 1, st.effects())
		require.Empty(b, st.Failures())
		c.http.CloseIdleConnections()
		st.Close()
	}
	b.ReportMetric(float64((cpu(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/case")
}
