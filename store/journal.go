package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"syscall"
)

// frameHeader is the length of what precedes a record in a journal: the record's length and the checksum of what
// follows it, four bytes each, and a number that grows by one from record to record.
const frameHeader = 16

// importJournal takes over the journal that askpg 0.0 kept beside a SQLite store, if there is one, and deletes
// it. Entries that such an askpg had acknowledged and not yet written to the tables when it was killed are in that
// file alone. A journal that another process has locked is left alone: an askpg of that version still runs.
func (s *Store) importJournal(ctx context.Context) error {
	path, err := sqlitePath(s.config())
	if err != nil {
		return err
	}
	path += "-entries"
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		s.log.Warn("the journal of an earlier version is in use by another process and is not imported", "file", path)
		return nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	half := len(content) / 2 // each was written from its own beginning
	records := append(journalRecords(content[:half]), journalRecords(content[half:])...)
	for _, r := range records {
		if err := s.insert(ctx, []*Record{r}); err != nil {
			return fmt.Errorf("importing %s: translation %s: %w", path, r.ID, err)
		}
	}
	if len(records) > 0 {
		s.log.Info("the journal of an earlier version was imported", "file", path, "entries", len(records))
	}
	return errors.Join(os.Remove(path), syncDir(path))
}

// journalRecords reads the records of one half of a journal. They end where a length, a number or a checksum is
// wrong: what a crash cut off was never acknowledged.
func journalRecords(b []byte) (records []*Record) {
	checksums := crc32.MakeTable(crc32.Castagnoli)
	var last uint64
	for len(b) > frameHeader {
		size, number := int64(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint64(b[8:])
		if size == 0 || frameHeader+size > int64(len(b)) || last != 0 && number != last+1 ||
			crc32.Checksum(b[8:frameHeader+size], checksums) != binary.LittleEndian.Uint32(b[4:]) {
			break
		}
		r := new(Record)
		if json.Unmarshal(b[frameHeader:frameHeader+size], r) == nil && r.ID != "" {
			makeStorable(r)
			records = append(records, r)
		}
		last, b = number, b[frameHeader+size:]
	}
	return records
}
