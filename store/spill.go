package store

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// spill is a file of records, a JSON line each, that the store could not take.
// Entries that are being imported into the store are in a second file, so that new entries never
// meet them. A third one keeps lines that no store can take.
type spill struct {
	path string
	max  int64
	lock *os.File

	mu        sync.Mutex
	file      *os.File
	bytes     int64
	importing int64 // bytes of the second file
	reader    *bufio.Reader
	source    *os.File
}

// openSpill opens the file and locks it: two processes must not share it.
func openSpill(path string, limit int64) (*spill, error) {
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store.spill: %w", err)
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, fmt.Errorf("store.spill: %s is in use by another askpg; give each its own", path)
	}
	p := &spill{path: path, max: limit, lock: lock}
	if err := errors.Join(p.open(), syncDir(path)); err != nil {
		lock.Close()
		return nil, fmt.Errorf("store.spill: %w", err)
	}
	if info, err := os.Stat(p.importPath()); err == nil {
		p.importing = info.Size()
	}
	return p, nil
}

func (p *spill) importPath() string { return p.path + ".taking" }

func (p *spill) open() error {
	f, err := os.OpenFile(p.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	end, err := wholeLines(f, info.Size())
	if err == nil && end < info.Size() {
		err = f.Truncate(end) // a line that a crash cut off was never acknowledged
	}
	if err != nil {
		f.Close()
		return err
	}
	p.file, p.bytes = f, end
	return nil
}

// wholeLines returns the length of f up to its last line break.
func wholeLines(f *os.File, size int64) (int64, error) {
	block := make([]byte, 64<<10)
	for end := size; end > 0; {
		begin := max(0, end-int64(len(block)))
		b := block[:end-begin]
		if _, err := f.ReadAt(b, begin); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
			return begin + int64(i) + 1, nil
		}
		end = begin
	}
	return 0, nil
}

// size returns the bytes that wait to be imported; a nil spill has none.
func (p *spill) size() int64 {
	if p == nil {
		return 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes + p.importing
}

// add writes records durably, all of them or none.
func (p *spill) add(records []*Record) error {
	var lines []byte
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		lines = append(append(lines, line...), '\n')
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes+p.importing+int64(len(lines)) > p.max {
		return fmt.Errorf("%s has reached store.max_spill_bytes (%d)", p.path, p.max)
	}
	_, err := p.file.Write(lines)
	if err == nil {
		err = p.file.Sync()
	}
	if err != nil {
		return errors.Join(err, p.file.Truncate(p.bytes))
	}
	p.bytes += int64(len(lines))
	return nil
}

// next returns up to n records to import; none when all are imported.
func (p *spill) next(n int) ([]*Record, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reader == nil {
		if err := p.rotate(); err != nil || p.reader == nil {
			return nil, err
		}
	}
	var records []*Record
	for size := 0; len(records) < n && size < maxBatchBytes; {
		line, err := p.reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // a line without an end was never acknowledged
		}
		if err != nil {
			return nil, err
		}
		size += len(line)
		r := new(Record)
		if err := json.Unmarshal(line, r); err != nil || r.ID == "" {
			if err := p.putAside(line); err != nil {
				return nil, err
			}
			continue
		}
		makeStorable(r)
		records = append(records, r)
	}
	if len(records) > 0 {
		return records, nil
	}
	p.rewind()
	p.importing = 0
	return nil, os.Remove(p.importPath())
}

// rewind has the next call of next begin the file again, because the store did not take its records.
func (p *spill) rewind() {
	if p.source != nil {
		p.source.Close()
	}
	p.source, p.reader = nil, nil
}

// rotate opens the file to take over; the current one becomes it unless an
// earlier one is left.
func (p *spill) rotate() error {
	if p.importing == 0 {
		if p.bytes == 0 {
			return nil
		}
		if err := os.Rename(p.path, p.importPath()); err != nil {
			return err
		}
		if err := syncDir(p.path); err != nil {
			return err
		}
		p.importing = p.bytes
		p.file.Close()
		if err := p.open(); err != nil {
			return err
		}
	}
	f, err := os.Open(p.importPath())
	if err != nil {
		return err
	}
	p.source, p.reader = f, bufio.NewReaderSize(f, 64<<10)
	return nil
}

// syncDir makes a change of the folder that path is in durable.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// putAside keeps a line that cannot be imported in the file .bad, for a person to look at.
func (p *spill) putAside(line []byte) error {
	f, err := os.OpenFile(p.path+".bad", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(line); err != nil {
		return err
	}
	return f.Sync()
}

func (p *spill) close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rewind()
	return errors.Join(p.file.Close(), p.lock.Close())
}

// importSpill writes a batch of spilled records into the store. Records that no store can take are put aside.
func (s *Store) importSpill() error {
	records, err := s.spill.next(s.config().Batch)
	if err != nil || len(records) == 0 {
		return err
	}
	if err = s.insert(context.Background(), distinct(records)); err == nil {
		s.log.Info("spilled translations are in the store now", "entries", len(records))
	} else if isRecordError(err) {
		err = s.importEach(records)
	}
	if err != nil {
		s.spill.mu.Lock()
		s.spill.rewind()
		s.spill.mu.Unlock()
	}
	return err
}

// importEach writes records one by one, so that one which no store can take does not spoil the others: it is put aside.
func (s *Store) importEach(records []*Record) error {
	for _, r := range records {
		err := s.insert(context.Background(), []*Record{r})
		if err == nil {
			continue
		}
		if !isRecordError(err) {
			return err // the store has failed meanwhile
		}
		s.log.Error("a spilled translation is put aside", "id", r.ID, "file", s.config().Spill+".bad", "error", err)
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := s.spill.putAside(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
