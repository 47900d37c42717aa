package eval

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"askpg/ask"
	"askpg/translator/vote"
)

// Options say what a run measures.
type Options struct {
	Sets        []string // folders of question sets
	Databases   []string // only questions about these, if any are named
	Limit       int      // answerable questions of each set, spread evenly over it; 0 for all
	Refusals    int      // unanswerable questions of each set, likewise; 0 for all, below 0 for none
	Offset      int      // questions further on in each set than those that Limit and Refusals take otherwise
	Again       bool     // ask anew what failed because a model did not answer or time ran out
	Out         string   // folder for the journal and the report
	Strategies  []string // of the translator, measured side by side
	Predictions []string // recorded systems, measured alone and as voters; "all" are those of each set
	Server      string   // superuser's URL of a running primary; empty for servers of the run's own
	Replica     string   // the same of its standby, with Server; empty if it has none
	Warehouse   bool     // load all databases as schemas of one, and ask there
	States      int      // further states of each database, for test-suite accuracy
	Timings     int      // runs of each right answer and its gold, for R-VES; 0 leaves it out
	Workers     int      // questions at a time; 0 for one a processor
	Timeout     time.Duration
	Keep        bool   // leave the databases on Server when done
	Settings    string // everything else that the translator's answers depend on: a changed text is another run

	// Open makes the translator that is measured, once the databases are there.
	// It is not called without Strategies. The second result ends it.
	Open func(ctx context.Context, c *Cluster) (ask.Translator, func(), error)

	// Ballots, if not nil, is told what the recorded systems voted on a question, and how each fared. Workers call it side by side.
	Ballots func(q *Question, systems []*Outcome, ballots []vote.Ballot)

	Progress io.Writer // a line of what is being done; nil for none
	Terminal bool      // Progress is a terminal: a bar
}

const (
	defaultTimeout = 2 * time.Minute  // of a question
	queryTimeout   = 30 * time.Second // of a gold or an answer, as BIRD's scripts have it
	maxRows        = 200_000          // of a gold or an answer
)

func (o *Options) validate() error {
	switch {
	case len(o.Sets) == 0:
		return errors.New("eval: no question set is named (--set DIR)")
	case o.Out == "":
		return errors.New("eval: no folder for the report is named (--out DIR)")
	case len(o.Strategies) == 0 && len(o.Predictions) == 0:
		return errors.New("eval: nothing to measure: name a strategy (--strategy NAME) or recorded systems (--predictions A,B)")
	case len(o.Strategies) > 0 && o.Open == nil:
		return errors.New("eval: there is no translator to ask")
	case o.Replica != "" && o.Server == "":
		return errors.New("eval: a standby without its primary (--server URL)")
	case o.Limit < 0:
		return errors.New("eval: the number of questions is negative (--limit N)")
	case o.Offset < 0:
		return errors.New("eval: the offset is negative (--offset N)")
	case o.Warehouse && o.States > 0:
		return errors.New("eval: a warehouse has one state only")
	}
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	return nil
}

// runKey returns a hash of everything that outcomes depend on.
func (o *Options) runKey(sets []*Set) (string, error) {
	h := sha256.New()
	err := json.NewEncoder(h).Encode([]any{3, o.Databases, o.Limit, o.Refusals, o.Offset, o.Strategies, o.Predictions, o.Warehouse, o.States, o.Timings, o.Timeout, o.Settings})
	if err != nil {
		return "", err
	}
	for _, s := range sets {
		if err := s.hash(h); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hash writes the set's questions, scripts and recorded answers. Of databases
// that are no text, the size stands for the content.
func (s *Set) hash(w io.Writer) error {
	return filepath.WalkDir(s.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		switch filepath.Ext(path) {
		case ".jsonl", ".json", ".sql":
		default:
			_, err := fmt.Fprintln(w, path, info.Size())
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		_, err = fmt.Fprintf(w, "%s %x\n", strings.TrimPrefix(path, s.Dir), sum)
		return err
	})
}
