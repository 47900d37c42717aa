package llm

import (
	"context"
	"errors"
	"fmt"

	openai "github.com/sashabaranov/go-openai"

	"askpg/ask"
	"askpg/translator/token"
)

// embedStage is the label of embedding calls in metrics.
const embedStage = "embed"

// errVectors says that a response does not hold a vector for each text.
var errVectors = errors.New("the response does not hold one vector for each text")

// Embed returns a vector for each text, in the order of the texts. All vectors
// of one call have the same length. It keeps to the model's concurrency limit
// and circuit breaker, and repeats what may succeed a little later while ctx
// leaves room. It tells ask.Spent what each request cost. The error is an *Error.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	for i := 0; ; i++ {
		vectors, err := c.embed(ctx, texts)
		if err == nil {
			return vectors, nil
		}
		if err := c.waitAgain(ctx, embedStage, i, err); err != nil {
			return nil, err
		}
	}
}

// embed sends one request.
func (c *Client) embed(ctx context.Context, texts []string) (vectors [][]float32, _ *Error) {
	var res openai.EmbeddingResponse
	asked, e := c.send(ctx, embedStage, func(ctx context.Context) (err error) {
		res, err = c.api.CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{
			Input: texts, Model: openai.EmbeddingModel(c.cfg.Model), EncodingFormat: openai.EmbeddingEncodingFormatFloat,
		})
		if err == nil {
			vectors, err = inOrder(res.Data, len(texts))
		}
		return err
	})
	if asked {
		u := ask.Usage{Calls: 1, PromptTokens: max(0, res.Usage.PromptTokens)}
		if u.PromptTokens == 0 && (e == nil || e.billed()) {
			u.PromptTokens = countAll(texts)
		}
		ask.Spent(ctx, c.cfg.Name, c.charge(u))
	}
	if e != nil {
		return nil, e
	}
	return vectors, nil
}

func countAll(texts []string) (n int) {
	for _, t := range texts {
		n += token.Count(t)
	}
	return n
}

// inOrder puts the vectors where their index says; servers may answer in
// another order than asked.
func inOrder(data []openai.Embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, fmt.Errorf("%w: %d for %d", errVectors, len(data), n)
	}
	out := make([][]float32, n)
	for _, d := range data {
		if d.Index < 0 || d.Index >= n || out[d.Index] != nil || len(d.Embedding) == 0 || len(d.Embedding) != len(data[0].Embedding) {
			return nil, fmt.Errorf("%w of one length", errVectors)
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}
