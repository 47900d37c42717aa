package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"askpg/admin"
	"askpg/eval"
	"askpg/translator"
	"askpg/translator/llm"
)

// replays runs `askpg eval --examples` for the review page: in a process of its own. So it takes no connection, memory
// or place at a model from the askpg that serves. It goes by the configuration file as it is now, which need not be in
// force yet.
type replays struct {
	*app
	path string // of the configuration file
}

// Choices implements admin.Replays.
func (r replays) Choices() (models, strategies []string, maxCalls int, err error) {
	cfg, err := r.load()
	if err != nil {
		return nil, nil, 0, err
	}
	for _, m := range cfg.Models {
		if slices.Contains(m.Roles, llm.RoleGenerate) {
			models = append(models, m.Name)
		}
	}
	return models, translator.Strategies(), cfg.Translator.MaxCalls, nil
}

// Limits of what a replay says.
const (
	maxOutcome  = 4 << 20 // bytes of one example
	maxSaid     = 2 << 10 // bytes of what went wrong
	replayGrace = 10 * time.Second
	replayNice  = 10
)

// newReplayed returns the metric of the last whole replay with the models and the strategy of the file. By it an alert
// knows when answers get worse.
func newReplayed() *prometheus.GaugeVec {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "askpg_replay_examples",
		Help: "Verified examples at the last whole replay with the models and the strategy of the file, by what came of them: same rows, other rows, none (no answer), unknown."}, []string{"outcome"})
	for _, outcome := range []string{"same", "other", "none", "unknown"} {
		g.WithLabelValues(outcome)
	}
	return g
}

// outcomeOf is the label of newReplayed for what came of an example.
func outcomeOf(e *eval.Replayed) string {
	switch {
	case e.Unknown != "":
		return "unknown"
	case e.Right:
		return "same"
	case e.Answer == "":
		return "none"
	}
	return "other"
}

// Run implements admin.Replays.
func (r replays) Run(ctx context.Context, o admin.ReplayOptions, each func(admin.Replayed)) error {
	self := "/proc/self/exe" // this very program, also after its file was replaced by another version
	if _, err := os.Stat(self); err != nil {
		if self, err = os.Executable(); err != nil {
			return err
		}
	}
	cmd := exec.CommandContext(ctx, self, "eval", "--examples", "--json", "--config", r.path, "--workers", "1",
		"--calls", strconv.Itoa(o.Calls), "--limit", strconv.Itoa(o.Limit), "--within", o.Within.String(), "--model", o.Model, "--strategy", o.Strategy)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = replayGrace
	var said bytes.Buffer
	cmd.Stderr = &limited{&said, maxSaid}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, cmd.Process.Pid, replayNice) // it may be slower than the sessions
	outcomes := map[string]float64{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxOutcome)
	for lines.Scan() {
		var e eval.Replayed
		if err = json.Unmarshal(lines.Bytes(), &e); err != nil {
			err = fmt.Errorf("an outcome cannot be read: %w", err)
			break
		}
		outcomes[outcomeOf(&e)]++
		each(admin.Replayed{Database: e.Database, Role: e.Role, Question: e.Question, Hint: e.Hint, Verified: e.SQL, Used: e.Used, Answer: e.Answer,
			Confidence: e.Confidence, Message: e.Message, Right: e.Right, Unknown: e.Unknown, Calls: e.Calls, Cost: e.Cost, Elapsed: e.Elapsed})
	}
	if err = errors.Join(err, lines.Err()); err != nil {
		_ = cmd.Process.Kill()
	}
	ended := cmd.Wait()
	if err == nil && ended != nil {
		err = errors.New(strings.TrimSpace(ended.Error() + "\n" + said.String()))
	}
	if err == nil && o.Model == "" && o.Strategy == "" {
		for _, outcome := range []string{"same", "other", "none", "unknown"} {
			r.replayed.WithLabelValues(outcome).Set(outcomes[outcome])
		}
	}
	return err
}

// limited keeps the first bytes of what is written.
type limited struct {
	to   *bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	l.to.Write(p[:n])
	return len(p), nil
}
