package translator

import (
	"askpg/catalog"
	"askpg/translator/grammar"
)

// builtIn is the grammar that needs no model.
func builtIn(question, hint string, s *catalog.Snapshot, o InterpretOptions) ([]Reading, error) {
	list, err := grammar.Interpret(question, hint, s, grammar.Options{Now: o.Now, Location: o.Location, SearchPath: o.SearchPath})
	if err != nil {
		return nil, err
	}
	out := make([]Reading, len(list))
	for i, r := range list {
		out[i] = Reading{SQL: r.SQL, Score: r.Score, Understood: r.Understood, Linked: r.Linked}
	}
	return out, nil
}
