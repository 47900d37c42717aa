package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// EraseSpill takes what an Erasure covers out of the spill file and of the file beside it that holds lines which no store
// takes. A spill file that a running askpg holds is left to it: it drops these entries when the store takes the others.
// held says that this is so.
func EraseSpill(path string, e Erasure) (n int64, held bool, err error) {
	if path == "" {
		return 0, false, nil
	}
	if n, err = rewriteLines(path+".bad", &e); err != nil {
		return n, false, err
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return n, false, nil
	}
	p, err := openSpill(path, 1<<62)
	if err != nil {
		return n, true, nil //nolint:nilerr // its owner has it
	}
	defer p.close()
	for _, file := range []string{path, p.importPath()} {
		m, err := rewriteLines(file, &e)
		n += m
		if err != nil {
			return n, false, err
		}
	}
	return n, false, nil
}

// covers says whether a line of a spill file is erased. A line that is no entry is if it holds the login.
func (e *Erasure) covers(line []byte) bool {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil || r.ID == "" {
		quoted, err := json.Marshal(e.Login)
		return e.Login != "" && (err != nil || bytes.Contains(line, quoted[1:len(quoted)-1]))
	}
	return (e.Login == "" || r.Login == e.Login) && (e.Before.IsZero() || r.Asked.Before(e.Before))
}

// rewriteLines writes a file anew without the lines that are erased; a file that is missing has none.
func rewriteLines(path string, e *Erasure) (n int64, err error) {
	in, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	defer os.Remove(path + ".new") // gone if it was renamed
	defer out.Close()
	from, to := bufio.NewReaderSize(in, 64<<10), bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := from.ReadBytes('\n')
		if len(line) > 0 {
			if e.covers(line) {
				n++
			} else if _, err := to.Write(line); err != nil {
				return 0, err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, err
		}
	}
	if n == 0 {
		return 0, nil
	}
	if err := errors.Join(to.Flush(), out.Sync()); err != nil {
		return 0, err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return 0, fmt.Errorf("erasing in %s: %w", path, err)
	}
	return n, syncDir(path)
}
