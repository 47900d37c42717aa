package eval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"askpg/translator"
	"askpg/translator/llm"
)

// A recording is a file of what models answered, a JSON object a line: first
// each model with its traits, then each call. A call is known by everything
// that was sent, so that a prompt that has changed since finds no answer.

// recordedLine is a line of a recording: a call, or a model if it has no key.
type recordedLine struct {
	Key      string       `json:"key,omitempty"`
	Model    string       `json:"model"`
	Traits   *llm.Traits  `json:"traits,omitempty"` // of a model
	Stage    string       `json:"stage,omitempty"`
	Response llm.Response `json:"response,omitzero"`
	Error    string       `json:"error,omitempty"`
}

// recording is what a file holds.
type recording struct {
	path   string
	models []*replayModel
}

func (r *recording) add(line []byte) error {
	var l recordedLine
	if err := json.Unmarshal(line, &l); err != nil {
		return err
	}
	m, _ := r.model(l.Model)
	if l.Traits != nil {
		m.traits = *l.Traits
	}
	if l.Key != "" {
		m.calls[l.Key] = append(m.calls[l.Key], l)
	}
	return nil
}

// model returns what is recorded of a model. found is false if it was nothing until now.
func (r *recording) model(name string) (m *replayModel, found bool) {
	for _, m := range r.models {
		if m.name == name {
			return m, true
		}
	}
	m = &replayModel{name: name, path: r.path, traits: translator.DefaultTraits, calls: map[string][]recordedLine{}, next: map[string]int{}}
	r.models = append(r.models, m)
	return m, false
}

// callKey returns the digest of a model's name and everything that it is asked.
func callKey(model string, r llm.Request) (string, error) {
	r.Stage = "" // a label, which the model does not see
	text, err := json.Marshal([]any{model, r})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// Recorder writes what models answer to a file.
type Recorder struct {
	mu   sync.Mutex
	file *os.File
	err  error
}

// Record returns models that answer as the given ones do and write down what
// was said in the file at the path. Answers that the file holds already are
// given again, each once, before the model is asked: a run that was interrupted
// pays for nothing twice. Close the recorder when they are done.
func Record(models []translator.Model, path string) ([]translator.Model, *Recorder, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, nil, err
	}
	earlier := &recording{path: path}
	if err := goOn(file, func(_ int, line []byte) error { return earlier.add(line) }); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("recording %s: %w", path, err), file.Close())
	}
	r := &Recorder{file: file}
	out := make([]translator.Model, len(models))
	for i, m := range models {
		held, found := earlier.model(m.Name())
		line := recordedLine{Model: m.Name()}
		if t, ok := m.(interface{ Traits() llm.Traits }); ok {
			held.traits = t.Traits()
			line.Traits = &held.traits
		}
		if !found {
			r.write(line)
		}
		out[i] = &recordingModel{replayModel: held, live: m, recorder: r}
	}
	return out, r, r.err
}

// Close ends the recording; it returns the first error that kept something
// from being written.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.err, r.file.Close())
}

func (r *Recorder) write(v any) {
	text, err := json.Marshal(v)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil {
		_, err = r.file.Write(append(text, '\n'))
	}
	if r.err == nil {
		r.err = err
	}
}

// recordingModel gives what its recording held at the start, each answer once, and asks the model for the rest.
type recordingModel struct {
	*replayModel
	live     translator.Model
	recorder *Recorder
}

// Complete asks the recorded model.
func (m *recordingModel) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	key, err := callKey(m.name, r)
	if err != nil {
		return llm.Response{}, err
	}
	if call, ok := m.take(key, true); ok {
		return call.Response, nil
	}
	response, err := m.live.Complete(ctx, r)
	if ctx.Err() != nil {
		return response, err // called off, which says nothing of the model
	}
	call := recordedLine{Key: key, Model: m.name, Stage: r.Stage, Response: response}
	if err != nil {
		call.Error = err.Error()
	}
	m.recorder.write(call)
	return response, err
}

// Replay returns models that answer what a recording holds. The same call
// asked again gets the next of its answers, after the last one the first again.
func Replay(path string) ([]translator.Model, error) {
	r := &recording{path: path}
	err := eachLine(path, r.add)
	if err == nil && len(r.models) == 0 {
		err = fmt.Errorf("%s holds no recorded model", path)
	}
	models := make([]translator.Model, len(r.models))
	for i, m := range r.models {
		models[i] = m
	}
	return models, err
}

type replayModel struct {
	name, path string
	traits     llm.Traits
	mu         sync.Mutex
	calls      map[string][]recordedLine // by key
	next       map[string]int            // of the calls, likewise
}

// take returns the next of the answers to a call; once: each is given once, and none that failed.
func (m *replayModel) take(key string, once bool) (recordedLine, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	calls := m.calls[key]
	for once && m.next[key] < len(calls) && calls[m.next[key]].Error != "" {
		m.next[key]++
	}
	n := m.next[key]
	if len(calls) == 0 || once && n >= len(calls) {
		return recordedLine{}, false
	}
	m.next[key]++
	return calls[n%len(calls)], true
}

// Name is the recorded model's.
func (m *replayModel) Name() string { return m.name }

// Traits are the recorded model's.
func (m *replayModel) Traits() llm.Traits { return m.traits }

// errNotRecorded says that a recording holds no answer to a call: the prompt,
// the schema in it or the sampling has changed since.
var errNotRecorded = errors.New("not recorded: prompt, schema or sampling have changed since the recording was made")

// Complete returns the recorded answer.
func (m *replayModel) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	key, err := callKey(m.name, r)
	if err != nil {
		return llm.Response{}, err
	}
	call, ok := m.take(key, false)
	if !ok {
		return llm.Response{}, fmt.Errorf("model %s, stage %q in %s: %w", m.name, r.Stage, m.path, errNotRecorded)
	}
	if call.Error != "" {
		return call.Response, errors.New(call.Error)
	}
	return call.Response, nil
}
