// Package llm speaks to models behind the OpenAI-compatible chat completions
// API. A Client samples from one model, within a deadline, a concurrency
// limit and a circuit breaker, and says what it cost.
package llm

import (
	"slices"
	"time"

	"askpg/ask"
)

// The roles of a Message.
const (
	System    = "system"
	User      = "user"
	Assistant = "assistant"
)

// Message is one message of a conversation.
type Message struct {
	Role    string
	Content string
}

// Request asks for one or more samples of the same prompt.
type Request struct {
	Messages    []Message
	N           int      // samples wanted; 0 means 1
	Temperature *float64 // nil for the model's configured one
	MaxTokens   int      // of each sample; 0 for the model's configured limit
	Stage       string   // what the call is for: a metric label, such as "generate"
	Form        *Form    `json:",omitempty"` // of the answer, for models that are configured to keep to one
}

// Response holds the samples. It may hold fewer than were asked for, with the
// error that took the others.
type Response struct {
	Texts     []string
	Truncated []bool // parallel to Texts: the sample ran into MaxTokens
	Usage     ask.Usage
	Elapsed   time.Duration
}

// The roles that a model can be given in the configuration.
const (
	RoleGenerate = "generate" // writes SQL, links, corrects
	RoleJudge    = "judge"    // selects among candidates
	RoleEmbed    = "embed"    // embeds questions, to find similar ones
)

// Traits say how a model may be used.
type Traits struct {
	Window int  // tokens that prompt and answer share
	Local  bool // nothing leaves the house
	Small  bool `json:",omitempty"` // it has few parameters: auto asks it by one short prompt
	Roles  []string
	// MaxTokens is the part of the window that an answer may take up.
	MaxTokens int
	// PriceIn is the price of a million prompt tokens.
	PriceIn float64 `json:",omitempty"`
	// PriceOut is the price of a million tokens of answers.
	PriceOut float64 `json:",omitempty"`
}

// Has says whether the model has the role.
func (t Traits) Has(role string) bool { return slices.Contains(t.Roles, role) }
