package store

import "askpg/ask"

// stalePriority is added to the translation of an example that no longer plans: it comes before all others.
const stalePriority = 10

// priority says how much a translation is worth a reviewer's time: unsure and
// divided ones before confident ones, failures in between, expensive ones a
// little more.
func priority(r *Record) float64 {
	p := 0.0
	switch r.Outcome {
	case Canceled:
		return 0
	case Answered:
		p = 1 - r.Confidence
	case Unsure:
		p = 1.2 - r.Confidence/5
	case Refused:
		p = 0.5
	case Failed:
		p = 0.8
	}
	if r.repeats() || r.Source == string(ask.SourceCatalog) {
		return p / 4 // its first answer is in the queue, or a reviewer gave it
	}
	groups := map[string]bool{}
	for _, c := range r.Candidates {
		if c.Fingerprint != "" {
			groups[c.Fingerprint] = true
		}
	}
	if len(groups) > 1 {
		p += 0.3
	}
	return p + min(r.Cost, 1)/5
}
