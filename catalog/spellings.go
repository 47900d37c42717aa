package catalog

// Spellings returns the column's values that are a text but for case, accents
// and punctuation. known is false if the index does not hold all values of the
// column, so that there may be others.
func (v *Values) Spellings(c *Column, text string) (values []string, known bool) {
	if v == nil || v.columns[c] == 0 {
		return nil, false
	}
	k := key(tokens(text))
	for _, p := range v.parts {
		i, ok := p.exact[k]
		if !ok {
			continue
		}
		for _, e := range p.texts[i].entries {
			if e.column == c {
				values = append(values, e.value)
			}
		}
	}
	for _, o := range v.omitted {
		if o.Column == c {
			return values, false
		}
	}
	return values, true
}
