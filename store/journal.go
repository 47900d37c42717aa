package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// journal is the file that answers which came at once, those of the cache and of verified
// examples, are durable in before a SQLite store has them: one write and one fdatasync into
// blocks that are there already, for all that come together. A commit of the tables and their
// indexes takes several times that. The entries are moved into the store a moment
// later, many in one transaction, and before anything of the log is read.
//
// The file has two halves. One takes entries in while those of the other are
// moved; a half that has been moved is overwritten with zeros. An entry is a
// frame: length and checksum of what follows, four bytes each, a number that grows by one, and
// the record as JSON. What a crash cut off was never acknowledged.
type journal struct {
	store *Store
	path  string
	file  *os.File
	half  int64 // bytes

	mu      sync.Mutex // of what is handed over
	waiting []*write
	wake    chan struct{} // a token when there is something to write
	filled  chan struct{} // a token when there is something to move
	closed  bool          // takes nothing: not begun yet, or stopped

	writing sync.Mutex // of the file and its halves; waiting is not held meanwhile
	halves  [2]half
	current int
	seq     uint64
	away    time.Time // the store has failed; until then it takes entries itself, or says why not

	moving  sync.Mutex // one at a time
	pending atomic.Int64
	running sync.WaitGroup
	done    chan struct{}
}

type half struct {
	end     int64 // of its frames, from its beginning
	records []*Record
}

const frameHeader = 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// openJournal opens the journal beside a SQLite store, takes over what an ended process has left
// in it, and starts its goroutines; stop ends them. While another process has the file, or what is left
// cannot be taken over, the journal takes nothing and tries again. It is nil if there is to be
// none: what is left is taken over all the same, unless a process that serves has the file.
func (s *Store) openJournal() (*journal, error) {
	path, err := sqlitePath(&s.cfg)
	if err != nil {
		return nil, err
	}
	path += "-entries"
	serves := s.cfg.JournalBytes > 0
	flags := os.O_RDWR
	if serves {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("store.journal_bytes: %w", err)
	}
	j := &journal{
		store: s, path: path, file: f, half: s.cfg.JournalBytes / 2, seq: uint64(time.Now().UnixNano()), closed: true,
		wake: make(chan struct{}, 1), filled: make(chan struct{}, 1), done: make(chan struct{}),
	}
	err = j.begin()
	if !serves {
		if err != nil && !errors.Is(err, errJournalBusy) {
			s.log.Warn("entries of the journal are not taken over yet", "file", path, "error", err)
		}
		return nil, f.Close()
	}
	j.running.Go(j.write)
	j.running.Go(func() { j.mover(err) })
	return j, nil
}

var (
	errJournalBusy   = errors.New("another process has the file")
	errJournalNoRoom = errors.New("there is no room for the journal (store.journal_bytes)")
)

// begin locks the file, takes over what is in it, and makes it as long as it is to be.
func (j *journal) begin() error {
	if err := syscall.Flock(int(j.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return errJournalBusy
	}
	size, err := j.recover()
	if err != nil {
		return err
	}
	if j.half > 0 {
		size = 2 * j.half
	}
	if err := reserve(j.file, size); err != nil {
		return fmt.Errorf("%w: %w", errJournalNoRoom, errors.Join(err, j.file.Truncate(0)))
	}
	if _, err := j.file.WriteAt(make([]byte, size), 0); err != nil {
		return fmt.Errorf("%w: %w", errJournalNoRoom, errors.Join(err, j.file.Truncate(0)))
	}
	if err := errors.Join(j.file.Truncate(size), j.file.Sync(), syncDir(j.path)); err != nil {
		return err
	}
	j.mu.Lock()
	j.closed = false
	j.mu.Unlock()
	return nil
}

// recover takes over what is in the file, and returns its size.
func (j *journal) recover() (int64, error) {
	info, err := j.file.Stat()
	if err != nil {
		return 0, err
	}
	data := make([]byte, info.Size())
	if _, err := j.file.ReadAt(data, 0); err != nil && err != io.EOF {
		return 0, err
	}
	middle := len(data) / 2
	left := append(frames(data[:middle]), frames(data[middle:])...)
	if len(left) == 0 {
		return info.Size(), nil
	}
	err = j.store.move(left)
	if err != nil && j.store.spill != nil {
		err = j.store.divert(left, err)
	}
	if err == nil {
		j.store.log.Info("entries of the journal were taken over", "entries", len(left))
	}
	return info.Size(), err
}

// frames reads the entries of a half, up to the first frame that is none.
func frames(b []byte) (list []*Record) {
	var last uint64
	for len(b) > frameHeader {
		size, number := int64(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint64(b[8:])
		if size == 0 || frameHeader+size > int64(len(b)) || last != 0 && number != last+1 ||
			crc32.Checksum(b[8:frameHeader+size], castagnoli) != binary.LittleEndian.Uint32(b[4:]) {
			break
		}
		r := new(Record)
		if json.Unmarshal(b[frameHeader:frameHeader+size], r) == nil && r.ID != "" {
			clean(r)
			list = append(list, r)
		}
		last, b = number, b[frameHeader+size:]
	}
	return list
}

// hand takes an entry; false if it is not for the journal now. What becomes of it is said
// on w.done.
func (j *journal) hand(w *write) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed || len(j.waiting) >= j.store.cfg.Queue {
		return false
	}
	j.waiting = append(j.waiting, w)
	signal(j.wake)
	return true
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// write makes what is handed over durable, all that waits at once, until the
// journal is closed.
func (j *journal) write() {
	for range j.wake {
		j.mu.Lock()
		batch := j.waiting
		j.waiting = nil
		j.mu.Unlock()
		j.add(batch)
	}
}

// add writes a batch and tells every waiter. What the journal cannot take, the
// store's writer does.
func (j *journal) add(batch []*write) {
	var lines []byte
	ends := make([]int64, len(batch))
	for i, w := range batch {
		lines = j.frame(lines, w.record)
		ends[i] = int64(len(lines))
	}
	begin := time.Now()
	n, err := j.put(batch, lines, ends)
	if err != nil {
		j.store.log.Warn("the journal of the store does not take entries; they are committed by themselves", "error", err)
	}
	if n > 0 {
		j.store.metrics.synced.Observe(time.Since(begin).Seconds())
	}
	for _, w := range batch[:n] {
		w.done <- nil
	}
	for _, w := range batch[n:] {
		j.store.queue <- w
	}
}

// frame appends the frame of r, without its number and checksum.
func (j *journal) frame(b []byte, r *Record) []byte {
	at := len(b)
	b = append(b, make([]byte, frameHeader)...)
	line, err := json.Marshal(r)
	if err != nil { // the writer will say so
		return b[:at]
	}
	b = append(b, line...)
	binary.LittleEndian.PutUint32(b[at:], uint32(len(line)))
	return b
}

// put writes as many frames as there is room for, and syncs them.
func (j *journal) put(batch []*write, lines []byte, ends []int64) (n int, err error) {
	j.writing.Lock()
	defer j.writing.Unlock()
	h := &j.halves[j.current]
	if time.Now().Before(j.away) {
		return 0, nil
	}
	from := int64(0)
	for n < len(batch) && ends[n] > from && h.end+ends[n] <= j.half {
		j.seq++
		f := lines[from:ends[n]]
		binary.LittleEndian.PutUint64(f[8:], j.seq)
		binary.LittleEndian.PutUint32(f[4:], crc32.Checksum(f[8:], castagnoli))
		from = ends[n]
		n++
	}
	if n == 0 {
		signal(j.filled)
		return 0, nil
	}
	at := int64(j.current)*j.half + h.end
	if _, err = j.file.WriteAt(lines[:from], at); err == nil {
		err = datasync(j.file)
	}
	if err != nil {
		// Whether they are durable is not known: the store takes them as well,
		// once each.
		_, _ = j.file.WriteAt(make([]byte, from), at)
		return 0, err
	}
	h.end += from
	for _, w := range batch[:n] {
		h.records = append(h.records, w.record)
	}
	j.pending.Add(int64(n))
	signal(j.filled)
	return n, nil
}

// mover moves entries into the store a moment after they have come, once the journal
// has begun; err is why it has not yet.
func (j *journal) mover(err error) {
	for err != nil {
		pause := retryPause
		if errors.Is(err, errJournalNoRoom) {
			pause = time.Minute
		}
		j.store.log.Warn("the journal of the store is not used; every entry is committed by itself", "file", j.path, "error", err)
		select {
		case <-time.After(pause):
		case <-j.done:
			return
		}
		err = j.begin()
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-j.filled:
		case <-j.done:
			return
		}
		timer.Reset(j.store.cfg.JournalDelay.Duration())
		select {
		case <-timer.C:
		case <-j.done:
			return
		}
		if err := j.move(); err != nil {
			j.store.log.Error("the store does not take the entries of its journal", "store", Redacted(j.store.cfg.URL), "entries", j.pending.Load(), "error", err)
			select {
			case <-time.After(retryPause):
				signal(j.filled)
			case <-j.done:
				return
			}
		}
	}
}

// move moves all that was acknowledged before it was called.
func (j *journal) move() error {
	j.moving.Lock()
	defer j.moving.Unlock()
	j.writing.Lock()
	other := 1 - j.current
	left := j.halves[other].records
	j.writing.Unlock()
	if len(left) > 0 { // the store did not take them when they were moved
		if err := j.moveHalf(other, left); err != nil {
			return err
		}
	}
	j.writing.Lock()
	full := j.current
	records := j.halves[full].records
	j.current = other
	j.writing.Unlock()
	if len(records) == 0 {
		return nil
	}
	return j.moveHalf(full, records)
}

// moveHalf moves the entries of a half that takes none in, or leaves them to
// the spill file, and empties it.
func (j *journal) moveHalf(i int, records []*Record) error {
	err := j.store.move(records)
	if err != nil && j.store.spill != nil {
		if serr := j.store.divert(records, err); serr != nil {
			err = serr
		} else {
			j.store.log.Error("the store does not take the entries of its journal; the spill file does", "store", Redacted(j.store.cfg.URL), "entries", len(records), "error", err)
			defer func() { j.rest() }()
			err = nil
		}
	}
	if err != nil {
		j.rest()
		return err
	}
	j.writing.Lock()
	defer j.writing.Unlock()
	h := &j.halves[i]
	_, err = j.file.WriteAt(make([]byte, h.end), int64(i)*j.half)
	*h = half{}
	j.pending.Add(-int64(len(records)))
	return err
}

// rest has the store's writer take what comes, since it has a word for every
// asker when the store does not work.
func (j *journal) rest() {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.away = time.Now().Add(retryPause)
}

// move writes records that are durable elsewhere into the store. One that no store can
// take is put aside.
func (s *Store) move(records []*Record) error {
	for len(records) > 0 {
		n := min(len(records), s.cfg.Batch)
		batch := make([]*write, n)
		for i, r := range records[:n] {
			batch[i] = &write{record: r}
		}
		err := s.try(batch)
		for i := 0; i < n && err != nil && ofEntry(err); i++ {
			one := s.try(batch[i : i+1])
			if one != nil && ofEntry(one) {
				one = s.putAside(records[i], one)
			}
			if one != nil {
				return one
			}
			if i == n-1 {
				err = nil
			}
		}
		if err != nil {
			return err
		}
		records = records[n:]
	}
	return nil
}

// putAside keeps a record that cannot be written for a person to look at.
func (s *Store) putAside(r *Record, cause error) error {
	path := s.cfg.Spill
	if path == "" {
		p, err := sqlitePath(&s.cfg)
		if err != nil {
			return err
		}
		path = p
	}
	s.log.Error("a translation is put aside", "id", r.ID, "file", path+".bad", "error", cause)
	return (&spill{path: path}).putRecordAside(r)
}

// settled has everything that was acknowledged in the tables, for whoever reads
// them. A store that does not work is the reader's own to meet.
func (s *Store) settled() {
	if s.journal == nil || s.journal.pending.Load() == 0 {
		return
	}
	if err := s.journal.move(); err != nil {
		s.log.Warn("the newest entries of the log are not in its tables yet", "entries", s.journal.pending.Load(), "error", err)
	}
}

// stop writes and moves what was handed over; nothing is from now on.
func (j *journal) stop() error {
	j.mu.Lock()
	j.closed = true
	j.mu.Unlock()
	signal(j.wake)
	close(j.wake)
	close(j.done)
	j.running.Wait()
	if err := j.move(); err != nil {
		// They stay in the file, for the next one that opens it.
		j.store.log.Error("the store does not take the entries of its journal", "store", Redacted(j.store.cfg.URL), "entries", j.pending.Load(), "error", err)
	}
	return j.file.Close()
}
