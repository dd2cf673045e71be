//go:build linux || darwin || freebsd

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/go-json-experiment/json"
)

// message is what the parent and the stub say to each other: one line of JSON,
// with file descriptors beside it.
type message struct {
	Do    string   `json:"do"` // of the parent: listen, run, kill; of the stub: ready, failed, exit
	Count int      `json:"count,omitzero"`
	Alone bool     `json:"alone,omitzero"` // the stub is to prove that it has no network
	Args  []string `json:"args,omitzero"`
	Dir   string   `json:"dir,omitzero"`
	Env   []string `json:"env,omitzero"`
	Code  int      `json:"code,omitzero"`
	Died  int      `json:"died,omitzero"` // by this signal
	Text  string   `json:"text,omitzero"`
}

// maxMessage bounds a line, in bytes: the arguments and the environment of a
// program are smaller on every system.
const maxMessage = 16 << 20

// channel carries messages over one end of a socket pair.
type channel struct {
	conn *net.UnixConn
	rest []byte
	fds  []int
}

func newChannel(f *os.File) (*channel, error) {
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, errors.New("not a Unix socket")
	}
	return &channel{conn: u}, nil
}

func (c *channel) send(m message, files ...*os.File) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	var rights []byte
	if len(files) > 0 {
		var fds []int
		for _, f := range files {
			fds = append(fds, int(f.Fd()))
		}
		rights = syscall.UnixRights(fds...)
	}
	n, _, err := c.conn.WriteMsgUnix(line, rights, nil)
	if err == nil && n < len(line) {
		_, err = c.conn.Write(line[n:])
	}
	return err
}

// receive waits for the next message. The files that came with it are the
// caller's to close.
func (c *channel) receive() (m message, files []*os.File, err error) {
	buf, oob := make([]byte, 64<<10), make([]byte, 4096)
	for bytes.IndexByte(c.rest, '\n') < 0 {
		n, rights, _, _, err := c.conn.ReadMsgUnix(buf, oob)
		if err == nil && n == 0 && rights == 0 {
			err = io.EOF
		}
		if err != nil {
			return m, nil, err
		}
		c.rest = append(c.rest, buf[:n]...)
		if err := c.take(oob[:rights]); err != nil {
			return m, nil, err
		}
		if len(c.rest) > maxMessage {
			return m, nil, fmt.Errorf("a message of more than %d bytes", maxMessage)
		}
	}
	line, rest, _ := bytes.Cut(c.rest, []byte{'\n'})
	err = json.Unmarshal(line, &m)
	c.rest = bytes.Clone(rest)
	for _, fd := range c.fds {
		files = append(files, os.NewFile(uintptr(fd), "passed"))
	}
	c.fds = nil
	return m, files, err
}

// take keeps the descriptors of a control message.
func (c *channel) take(oob []byte) error {
	if len(oob) == 0 {
		return nil
	}
	all, err := syscall.ParseSocketControlMessage(oob)
	if err != nil {
		return err
	}
	for i := range all {
		fds, err := syscall.ParseUnixRights(&all[i])
		if err != nil {
			return err
		}
		for _, fd := range fds {
			syscall.CloseOnExec(fd)
		}
		c.fds = append(c.fds, fds...)
	}
	return nil
}
