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

type recordedModel struct {
	Model  string      `json:"model"`
	Traits *llm.Traits `json:"traits,omitempty"`
}

type recordedCall struct {
	Key      string       `json:"key"`
	Model    string       `json:"model"`
	Stage    string       `json:"stage,omitempty"`
	Response llm.Response `json:"response"`
	Error    string       `json:"error,omitempty"`
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
	recorded := map[string]map[string][]llm.Response{} // by model and call
	err = goOn(file, func(_ int, line []byte) error {
		var call recordedCall
		if err := json.Unmarshal(line, &call); err != nil {
			return err
		}
		if recorded[call.Model] == nil {
			recorded[call.Model] = map[string][]llm.Response{}
		}
		if call.Key != "" && call.Error == "" {
			recorded[call.Model][call.Key] = append(recorded[call.Model][call.Key], call.Response)
		}
		return nil
	})
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("recording %s: %w", path, err), file.Close())
	}
	r := &Recorder{file: file}
	recording := make([]translator.Model, len(models))
	for i, m := range models {
		answers := recorded[m.Name()]
		if answers == nil {
			line := recordedModel{Model: m.Name()}
			if t, ok := traitsOf(m); ok {
				line.Traits = &t
			}
			r.write(line)
		}
		recording[i] = &recordingModel{Model: m, recorder: r, recorded: answers}
	}
	return recording, r, r.err
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

func traitsOf(m translator.Model) (llm.Traits, bool) {
	t, ok := m.(interface{ Traits() llm.Traits })
	if !ok {
		return llm.Traits{}, false
	}
	return t.Traits(), true
}

type recordingModel struct {
	translator.Model
	recorder *Recorder
	mu       sync.Mutex
	recorded map[string][]llm.Response // by key, what an earlier run was answered
}

// take returns the next of the answers to a call that the recording began with.
func (m *recordingModel) take(key string) (llm.Response, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	answers := m.recorded[key]
	if len(answers) == 0 {
		return llm.Response{}, false
	}
	m.recorded[key] = answers[1:]
	return answers[0], true
}

// Traits are the recorded model's.
func (m *recordingModel) Traits() llm.Traits {
	if t, ok := traitsOf(m.Model); ok {
		return t
	}
	return defaultTraits
}

// defaultTraits are those that the translator takes for granted.
var defaultTraits = llm.Traits{Window: 128_000, MaxTokens: 2000, Roles: []string{llm.RoleGenerate, llm.RoleJudge}}

// Complete asks the recorded model.
func (m *recordingModel) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	key, err := callKey(m.Name(), r)
	if err != nil {
		return llm.Response{}, err
	}
	if response, ok := m.take(key); ok {
		return response, nil
	}
	response, err := m.Model.Complete(ctx, r)
	if ctx.Err() != nil {
		return response, err // called off, which says nothing of the model
	}
	call := recordedCall{Key: key, Model: m.Name(), Stage: r.Stage, Response: response}
	if err != nil {
		call.Error = err.Error()
	}
	m.recorder.write(call)
	return response, err
}

// Replay returns models that answer what a recording holds. The same call
// asked again gets the next of its answers, after the last one the first again.
func Replay(path string) ([]translator.Model, error) {
	byName := map[string]*replayModel{}
	var models []translator.Model
	err := eachLine(path, func(line []byte) error {
		var call recordedCall
		if err := json.Unmarshal(line, &call); err != nil {
			return err
		}
		m := byName[call.Model]
		if m == nil {
			header := recordedModel{}
			if err := json.Unmarshal(line, &header); err != nil {
				return err
			}
			m = &replayModel{name: call.Model, path: path, traits: defaultTraits, calls: map[string][]recordedCall{}, next: map[string]int{}}
			if header.Traits != nil {
				m.traits = *header.Traits
			}
			byName[call.Model] = m
			models = append(models, m)
		}
		if call.Key != "" {
			m.calls[call.Key] = append(m.calls[call.Key], call)
		}
		return nil
	})
	if err == nil && len(models) == 0 {
		err = fmt.Errorf("%s holds no recorded model", path)
	}
	return models, err
}

type replayModel struct {
	name, path string
	traits     llm.Traits
	mu         sync.Mutex
	calls      map[string][]recordedCall
	next       map[string]int
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
	m.mu.Lock()
	defer m.mu.Unlock()
	calls := m.calls[key]
	if len(calls) == 0 {
		return llm.Response{}, fmt.Errorf("model %s, stage %q in %s: %w", m.name, r.Stage, m.path, errNotRecorded)
	}
	call := calls[m.next[key]%len(calls)]
	m.next[key]++
	if call.Error != "" {
		return call.Response, errors.New(call.Error)
	}
	return call.Response, nil
}
