package catalog

import (
	"os"
	"time"
)

// semanticsFile is a semantics file as it was at one time.
type semanticsFile struct {
	modified  time.Time
	size      int64
	semantics *semantics
}

// semantics returns the file's content, read again if the file has changed. A
// file that cannot be used leaves what was read before in force.
func (c *Catalog) semantics() *semanticsFile {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cfg.Semantics == "" {
		return c.file
	}
	info, err := os.Stat(c.cfg.Semantics)
	if err != nil {
		if c.file.size >= 0 { // said once
			c.log.Error("semantics file cannot be read", "file", c.cfg.Semantics, "error", err)
			c.file = &semanticsFile{size: -1, semantics: c.file.semantics}
		}
		return c.file
	}
	if info.ModTime().Equal(c.file.modified) && info.Size() == c.file.size {
		return c.file
	}
	next := &semanticsFile{modified: info.ModTime(), size: info.Size(), semantics: c.file.semantics}
	if s, err := readSemantics(c.cfg.Semantics); err != nil {
		c.log.Error("semantics file is not used", "error", err)
	} else {
		next.semantics = s
	}
	c.file = next
	return next
}
