package catalog

import "math"

// Parameters of BM25F (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009, section 3.6): the usual saturation, and
// little length normalisation, because a long comment makes a column no less
// likely.
const (
	bm25K1 = 1.2
	bm25B  = 0.3
)

// bm25 is an inverted index over short documents with weighted terms.
type bm25 struct {
	terms   map[string][]posting
	lengths []float32
	total   float64
	base    *bm25 // larger index of the same kind that this one is an addition to; may be nil
}

type posting struct {
	doc    int32
	weight float32 // sum of the weights of the fields that the term occurs in
}

func newBM25() *bm25 { return &bm25{terms: map[string][]posting{}} }

// next begins a document and returns its number.
func (x *bm25) next() int32 {
	x.lengths = append(x.lengths, 0)
	return int32(len(x.lengths) - 1)
}

// add adds terms to the last document, with the weight of their field.
func (x *bm25) add(terms []string, weight float32) {
	doc := int32(len(x.lengths) - 1)
	for _, t := range terms {
		list := x.terms[t]
		if n := len(list); n > 0 && list[n-1].doc == doc {
			list[n-1].weight += weight
		} else {
			x.terms[t] = append(list, posting{doc, weight})
		}
		x.lengths[doc] += weight
		x.total += float64(weight)
	}
}

// score calls found for every document that has the term.
func (x *bm25) score(term string, found func(doc int32, score float64)) {
	list := x.terms[term]
	if len(list) == 0 {
		return
	}
	n, df, total := float64(len(x.lengths)), float64(len(list)), x.total
	if x.base != nil {
		n += float64(len(x.base.lengths))
		df += float64(len(x.base.terms[term]))
		total += x.base.total
	}
	idf := math.Log(1 + (n-df+0.5)/(df+0.5))
	average := total / n
	for _, p := range list {
		w := float64(p.weight) / (1 - bm25B + bm25B*float64(x.lengths[p.doc])/average)
		found(p.doc, idf*w*(bm25K1+1)/(bm25K1+w))
	}
}
