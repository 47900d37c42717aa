package proxy_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// cable joins a network namespace with this one: a TUN device at each end, and
// between them two goroutines that carry packets, lose some, or all of them.
// That takes no module of the kernel's beyond TUN; tc's netem does the same
// where there is one.
type cable struct {
	t         testing.TB
	namespace string
	here      string       // this end's address, which the namespace reaches
	there     string       // the namespace's address
	loss      atomic.Int64 // packets lost of a thousand
	lost      atomic.Int64
}

// cut loses everything from now on, and says nothing to either end.
func (c *cable) cut() { c.loss.Store(1000) }

var cables atomic.Int32

// newCable needs root, iproute2 and /dev/net/tun. Without them the test is
// skipped, unless CI is set.
func newCable(t testing.TB) *cable {
	t.Helper()
	missing := func(what string) {
		t.Helper()
		if os.Getenv("CI") != "" {
			t.Fatal(what)
		}
		t.Skip(what)
	}
	if os.Geteuid() != 0 {
		missing("a network namespace takes root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		missing("ip of iproute2 is missing")
	}
	n := int(cables.Add(1))
	id := fmt.Sprintf("ask%x.%x", os.Getpid(), n)            // the names of the ends have at most 15 bytes (IFNAMSIZ)
	subnet := fmt.Sprintf("198.18.%d.", (os.Getpid()+n)%256) // RFC 2544
	c := &cable{t: t, namespace: id, here: subnet + "1", there: subnet + "2"}
	near, err := openTUN(id + "a")
	if err != nil {
		missing("a TUN device: " + err.Error())
	}
	far, err := openTUN(id + "b")
	if err != nil {
		near.Close()
		t.Fatal(err)
	}
	var carriers sync.WaitGroup
	t.Cleanup(func() {
		near.Close() // which removes the device
		far.Close()
		carriers.Wait()
		_ = exec.Command("ip", "netns", "delete", c.namespace).Run()
	})
	for _, args := range []string{
		"netns add " + c.namespace,
		"link set " + id + "b netns " + c.namespace,
		"addr add " + c.here + " peer " + c.there + " dev " + id + "a",
		"link set " + id + "a up",
		"-n " + c.namespace + " addr add " + c.there + " peer " + c.here + " dev " + id + "b",
		"-n " + c.namespace + " link set " + id + "b up",
	} {
		if out, err := exec.Command("ip", strings.Fields(args)...).CombinedOutput(); err != nil {
			missing(fmt.Sprintf("ip %s: %v: %s", args, err, out))
		}
	}
	carriers.Go(func() { c.carry(near, far, 1) })
	carriers.Go(func() { c.carry(far, near, 2) })
	return c
}

// carry takes packets from one end to the other until an end is closed.
func (c *cable) carry(from, to *os.File, seed uint64) {
	random := rand.New(rand.NewPCG(seed, seed))
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		if random.Int64N(1000) < c.loss.Load() {
			c.lost.Add(1)
			continue
		}
		// A queue that is full loses the packet, as a network does.
		_, _ = to.Write(b[:n])
	}
}

// openTUN makes a device that is there until the file is closed.
func openTUN(name string) (*os.File, error) {
	fd, err := unix.Open("/dev/net/tun", unix.O_RDWR|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("open /dev/net/tun", err)
	}
	request, err := unix.NewIfreq(name)
	if err == nil {
		request.SetUint16(unix.IFF_TUN | unix.IFF_NO_PI)
		err = os.NewSyscallError("TUNSETIFF", unix.IoctlIfreq(fd, unix.TUNSETIFF, request))
	}
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// inside calls f on a thread in the namespace: the sockets that it opens and
// the programs that it starts belong there.
func (c *cable) inside(f func()) {
	c.t.Helper()
	done := make(chan error)
	go func() {
		// Never unlocked, so that the thread ends with the goroutine.
		runtime.LockOSThread()
		ns, err := os.Open("/run/netns/" + c.namespace)
		if err == nil {
			err = os.NewSyscallError("setns", unix.Setns(int(ns.Fd()), unix.CLONE_NEWNET))
			ns.Close()
		}
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		c.t.Fatal(err)
	}
}

// dial connects from the namespace.
func (c *cable) dial(addr string) net.Conn {
	c.t.Helper()
	var conn net.Conn
	var err error
	c.inside(func() { conn, err = net.Dial("tcp", addr) })
	if err != nil {
		c.t.Fatal(err)
	}
	return conn
}

// delivered waits until the other end has acknowledged all that was sent.
func (c *cable) delivered(conn net.Conn) {
	c.t.Helper()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		c.t.Fatal(err)
	}
	for ctx := within(c.t); ; time.Sleep(time.Millisecond) {
		var queued int
		if cerr := raw.Control(func(fd uintptr) { queued, err = unix.IoctlGetInt(int(fd), unix.TIOCOUTQ) }); cerr != nil || err != nil {
			c.t.Fatal(cerr, err)
		}
		if queued == 0 {
			return
		}
		if ctx.Err() != nil {
			c.t.Fatalf("%d bytes were not acknowledged", queued)
		}
	}
}

// run runs a program in the namespace and returns what it wrote to standard
// output.
func (c *cable) run(name string, args ...string) []byte {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var said strings.Builder
	cmd.Stderr = &said
	var out []byte
	var err error
	c.inside(func() { out, err = cmd.Output() })
	if err != nil {
		c.t.Fatalf("%s %q: %v\n%s", name, args, err, said.String())
	}
	return out
}

// relay listens in the namespace and passes every connection on to a server of
// this one, so that the way to it is the cable. It returns its address.
func (c *cable) relay(server string) string {
	c.t.Helper()
	var l net.Listener
	var err error
	c.inside(func() { l, err = net.Listen("tcp", c.there+":0") })
	if err != nil {
		c.t.Fatal(err)
	}
	var running sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	closed := false
	keep := func(conn net.Conn) {
		mu.Lock()
		defer mu.Unlock()
		if open = append(open, conn); closed {
			conn.Close()
		}
	}
	c.t.Cleanup(func() {
		l.Close()
		mu.Lock()
		closed = true
		for _, conn := range open {
			conn.Close()
		}
		mu.Unlock()
		running.Wait()
	})
	running.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			keep(near)
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				continue
			}
			keep(far)
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				running.Go(func() {
					_, _ = way[0].(*net.TCPConn).WriteTo(way[1])
					_ = way[1].(*net.TCPConn).CloseWrite()
				})
			}
		}
	})
	return l.Addr().String()
}
