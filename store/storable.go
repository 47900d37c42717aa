package store

import (
	"math"

	"askpg/ask"
	"askpg/ask/param"
)

// makeStorable makes everything in r storable.
func makeStorable(r *Record) {
	r.Application, r.Database, r.Role = short(r.Application), short(r.Database), short(r.Role)
	for _, f := range recordFields {
		makeFieldStorable(f.at(r))
	}
	for i := range r.Candidates {
		for _, f := range candidateFields {
			makeFieldStorable(f.at(&r.Candidates[i]))
		}
	}
}

// short cuts a name that an index has to take. PostgreSQL's own are shorter.
func short(name string) string {
	if len(name) <= 200 {
		return name
	}
	return name[:200]
}

func makeFieldStorable(at any) {
	switch p := at.(type) {
	case *string:
		*p = storable(*p)
	case *float64:
		if math.IsNaN(*p) || math.IsInf(*p, 0) {
			*p = 0
		}
	case *jsonValue:
		makeDocumentStorable(p.to)
	}
}

func makeDocumentStorable(at any) {
	switch p := at.(type) {
	case *[]string:
		*p = allStorable(*p)
	case *map[string]string:
		m := make(map[string]string, len(*p))
		for k, v := range *p {
			m[storable(k)] = storable(v)
		}
		if *p != nil {
			*p = m
		}
	case *[]Turn:
		for i, t := range *p {
			(*p)[i] = Turn{storable(t.Question), storable(t.SQL)}
		}
	case *[]ask.Prompt:
		*p = mapped(*p, func(k ask.Prompt) ask.Prompt {
			return ask.Prompt{Model: storable(k.Model), Text: storable(k.Text), Times: k.Times}
		})
	case *[]param.Parameter:
		for i := range *p {
			q := &(*p)[i]
			q.Sample, q.Column = storable(q.Sample), storable(q.Column)
			for j, c := range q.Choices {
				q.Choices[j] = param.Choice{Words: storable(c.Words), Value: storable(c.Value)}
			}
		}
	case *[]Link:
		for i, l := range *p {
			(*p)[i] = Link{storable(l.Words), storable(l.Object), storable(l.Value), l.Why}
		}
	case *[]Column:
		for i := range *p {
			(*p)[i].Name = storable((*p)[i].Name)
		}
	case **Rows:
		if *p == nil {
			return
		}
		(*p).Columns = allStorable((*p).Columns)
		for _, row := range (*p).Rows {
			for _, v := range row {
				if v != nil {
					*v = storable(*v)
				}
			}
		}
	}
}

func allStorable(in []string) []string {
	if in == nil {
		return nil
	}
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = storable(s)
	}
	return out
}
