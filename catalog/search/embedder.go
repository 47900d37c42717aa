package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"askpg/ask"
	"askpg/catalog/schema"
	"askpg/catalog/words"
)

// Embedder turns texts into vectors that all have the same number of elements. The
// nearer two texts are in meaning, the larger is the dot product of their vectors.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// EmbeddingsConfig says how the search uses an Embedder.
type EmbeddingsConfig struct {
	Relations int          `toml:"relations"` // relations of a snapshot that get a vector; the others are found by their words alone
	Vectors   int          `toml:"vectors"`   // vectors kept, of all snapshots; the least recently used goes first
	Batch     int          `toml:"batch"`     // texts sent at once
	Timeout   ask.Duration `toml:"timeout"`   // of one call for the vectors of relations, which are made in the background
	Deadline  ask.Duration `toml:"deadline"`  // of the call for a question's vector; without it the question's words decide alone
}

// DefaultEmbeddingsConfig returns settings that suit an endpoint in the same data centre.
func DefaultEmbeddingsConfig() EmbeddingsConfig {
	return EmbeddingsConfig{Relations: 10000, Vectors: 20000, Batch: 64, Timeout: ask.Duration(30 * time.Second), Deadline: ask.Duration(500 * time.Millisecond)}
}

// Validate says which setting cannot be used, and why.
func (c *EmbeddingsConfig) Validate() error {
	const section = "catalog.embeddings."
	err := cmp.Or(
		ask.AtLeast(section+"relations", c.Relations, 1), ask.AtLeast(section+"vectors", c.Vectors, 1), ask.AtLeast(section+"batch", c.Batch, 1),
		ask.Positive(section+"timeout", c.Timeout), ask.Positive(section+"deadline", c.Deadline),
	)
	if err == nil && c.Vectors < c.Relations {
		err = fmt.Errorf("catalog.embeddings.vectors must be at least catalog.embeddings.relations (%d), is %d", c.Relations, c.Vectors)
	}
	return err
}

// checkVectors says what is wrong with vectors for n texts.
func checkVectors(vectors [][]float32, n int) error {
	if len(vectors) != n {
		return fmt.Errorf("%d vectors for %d texts", len(vectors), n)
	}
	for _, v := range vectors {
		if len(v) == 0 || len(v) != len(vectors[0]) {
			return errors.New("vectors of different lengths")
		}
		for _, x := range v {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return errors.New("a vector with a value that is no number")
			}
		}
	}
	return nil
}

// unit returns the vector scaled to length 1. A vector of zeros stays as it is.
func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(v))
	if sum > 0 {
		for i, x := range v {
			out[i] = float32(float64(x) / math.Sqrt(sum))
		}
	}
	return out
}

// embedText returns the text whose vector stands for a relation: names and comments of what is not
// private, and no values, at most embedBytes of it.
func embedText(r *schema.Relation) string {
	var b strings.Builder
	b.WriteString(strings.Join(words.Split(r.Name.Name), " "))
	if len(r.Synonyms) > 0 {
		b.WriteString(", " + strings.Join(r.Synonyms, ", "))
	}
	if r.Comment != "" {
		b.WriteString(": " + r.Comment)
	}
	for i, c := range r.Columns {
		if c.Private {
			continue
		}
		if i == 0 {
			b.WriteString("\n")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(strings.Join(words.Split(c.Name), " "))
		if c.Comment != "" {
			b.WriteString(" (" + c.Comment + ")")
		}
		if b.Len() > embedBytes {
			break
		}
	}
	s := b.String()
	return strings.ToValidUTF8(s[:min(len(s), embedBytes)], "")
}
