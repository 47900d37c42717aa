package search

import "math"

// Parameters of BM25F (Robertson and Zaragoza, "The Probabilistic Relevance
// Framework: BM25 and Beyond", 2009, section 3.6). The saturation is the
// usual one. There is little length normalisation, because a long comment
// makes a column no less likely.
const (
	bm25K1 = 1.2
	bm25B  = 0.3
)

// bm25 is an inverted index over short documents. Terms are
// numbers.
type bm25 struct {
	first []int32 // postings of term t are list[first[t]:first[t+1]]
	list  []posting
	docs  float64
	total float64 // of the documents' lengths
}

// posting is a document that has a term, and what the term's frequency in it
// counts: weight · (k1+1) / (k1+weight), the weight divided by the length.
type posting struct {
	doc    int32
	impact float32
}

// postings returns the documents that have a term, ordered by document.
func (x *bm25) postings(term int32) []posting { return x.list[x.first[term]:x.first[term+1]] }

// idf says how much a term counts that so many of so many documents have.
func idf(df, docs float64) float64 { return math.Log(1 + (docs-df+0.5)/(df+0.5)) }

// bm25Builder collects documents.
type bm25Builder struct {
	entries []occurrence
	firstID int32 // of the documents
	lengths []float32
	total   float64
}

type occurrence struct {
	term, doc int32
	weight    float32
}

// next begins a document; documents have consecutive numbers from firstID on.
func (b *bm25Builder) next() { b.lengths = append(b.lengths, 0) }

// add adds terms to the last document, with the weight of their field.
func (b *bm25Builder) add(terms []int32, weight float32) {
	doc := b.firstID + int32(len(b.lengths)-1)
	for _, t := range terms {
		b.entries = append(b.entries, occurrence{t, doc, weight})
	}
	b.lengths[len(b.lengths)-1] += weight * float32(len(terms))
	b.total += float64(weight) * float64(len(terms))
}

// build makes the index over so many terms. base is a larger one that the
// documents are an addition to, or nil.
func (b *bm25Builder) build(terms int, base *bm25) *bm25 {
	x := &bm25{first: make([]int32, terms+1), docs: float64(len(b.lengths)), total: b.total}
	if base != nil {
		x.docs += base.docs
		x.total += base.total
	}
	for _, e := range b.entries {
		x.first[e.term+1]++
	}
	for t := range terms {
		x.first[t+1] += x.first[t]
	}
	// Entries are in order of documents, and so stay within each term; those of
	// a term in one document become one.
	sorted := make([]posting, len(b.entries))
	end := append([]int32(nil), x.first[:terms]...)
	for _, e := range b.entries {
		if n := end[e.term]; n > x.first[e.term] && sorted[n-1].doc == e.doc {
			sorted[n-1].impact += e.weight
		} else {
			sorted[n] = posting{e.doc, e.weight}
			end[e.term]++
		}
	}
	merged := 0
	for t := range terms {
		merged += int(end[t] - x.first[t])
	}
	x.list = make([]posting, 0, merged)
	average := x.total / max(x.docs, 1)
	for t := range terms {
		from := x.first[t]
		x.first[t] = int32(len(x.list))
		for _, p := range sorted[from:end[t]] {
			w := float64(p.impact) / (1 - bm25B + bm25B*float64(b.lengths[p.doc-b.firstID])/average)
			x.list = append(x.list, posting{p.doc, float32(w * (bm25K1 + 1) / (bm25K1 + w))})
		}
	}
	x.first[terms] = int32(len(x.list))
	return x
}
