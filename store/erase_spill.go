package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// SpillErased counts what EraseSpill has taken.
type SpillErased struct {
	Entries int64
	Names   int64 // entries of others that the name was taken out of
	Held    bool  // a running askpg has the spill file: it drops what is erased when the store takes the others
}

// EraseSpill takes what an Erasure covers, and was asked before until, out of the spill file and of the file beside it
// that holds lines which no store takes. A spill file that a running askpg holds is left to it.
func EraseSpill(path string, e Erasure, until time.Time) (done SpillErased, err error) {
	if path == "" {
		return done, nil
	}
	if err := rewriteLines(path+".bad", e, until, &done); err != nil {
		return done, err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return done, nil
	}
	p, err := openSpill(path, 1<<62)
	if err != nil {
		done.Held = true
		return done, nil //nolint:nilerr // its owner has it
	}
	defer p.close()
	return done, errors.Join(rewriteLines(path, e, until, &done), rewriteLines(p.importPath(), e, until, &done))
}

// rest returns what is left of a line of a spill file; nil if all of it is erased. A line that is no entry is erased if
// it holds the login.
func (e Erasure) rest(line []byte, until time.Time, done *SpillErased) []byte {
	var r Record
	switch err := json.Unmarshal(line, &r); {
	case err != nil || r.ID == "":
		quoted, err := json.Marshal(e.Login)
		if e.Login == "" || err == nil && !bytes.Contains(line, quoted[1:len(quoted)-1]) && !bytes.Contains(line, []byte(e.Login)) {
			return line
		}
	case !r.Asked.Before(until):
		return line
	case e.Login == "" || r.Login == e.Login:
	case e.Before.IsZero() && r.Reviewer == e.Login:
		r.eraseReviewer()
		if line, err = json.Marshal(r); err == nil {
			done.Names++
			return append(line, '\n')
		}
	default:
		return line
	}
	done.Entries++
	return nil
}

// rewriteLines writes a file anew without what is erased; a file that is missing has nothing.
func rewriteLines(path string, e Erasure, until time.Time, done *SpillErased) error {
	before := *done
	in, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(path + ".new") // gone if it was renamed
	defer out.Close()
	from, to := bufio.NewReaderSize(in, 64<<10), bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := from.ReadBytes('\n')
		if len(line) > 0 {
			if _, err := to.Write(e.rest(line, until, done)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	if *done == before {
		return nil
	}
	if err := errors.Join(to.Flush(), out.Sync()); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("erasing in %s: %w", path, err)
	}
	return syncDir(path)
}
