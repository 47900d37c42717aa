package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// journal is the file of a run's outcomes, a JSON object a line. Each is written when its question is done, so that a
// run that was killed goes on where it was. The first line says what the run was about.
type journal struct {
	mu   sync.Mutex
	file *os.File
	done map[outcomeKey]*Outcome
}

type outcomeKey struct{ set, question, system string }

func (o *Outcome) key() outcomeKey { return outcomeKey{o.Set, o.Question, o.System} }

type journalHeader struct {
	Run string `json:"run"` // everything that outcomes depend on, hashed
}

// openJournal opens the journal of a run, or begins it.
func openJournal(path, run string) (*journal, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	j := &journal{file: file, done: map[outcomeKey]*Outcome{}}
	if err := j.read(run); err != nil {
		file.Close()
		return nil, fmt.Errorf("journal %s: %w", path, err)
	}
	return j, nil
}

// read takes over the outcomes of an earlier run.
func (j *journal) read(run string) error {
	begun := false
	err := goOn(j.file, func(n int, line []byte) error {
		if n == 0 {
			var h journalHeader
			if err := json.Unmarshal(line, &h); err != nil || h.Run != run {
				return fmt.Errorf("it belongs to a run with other questions, systems or settings; use another folder, or delete it to begin anew")
			}
			begun = true
			return nil
		}
		o := new(Outcome)
		if err := json.Unmarshal(line, o); err != nil {
			return err
		}
		j.done[o.key()] = o
		return nil
	})
	if err != nil || begun {
		return err
	}
	return j.write(journalHeader{Run: run})
}

func (j *journal) get(key outcomeKey) *Outcome {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.done[key]
}

// forget drops the outcomes that match, which are then measured again; what is
// written later stands.
func (j *journal) forget(match func(*Outcome) bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, o := range j.done {
		if match(o) {
			delete(j.done, key)
		}
	}
}

func (j *journal) add(o *Outcome) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.write(o); err != nil {
		return err
	}
	// What is reported is what a resumed run would read.
	j.done[o.key()] = o
	return nil
}

func (j *journal) write(v any) error {
	return json.NewEncoder(j.file).Encode(v) // which writes a line at once
}
