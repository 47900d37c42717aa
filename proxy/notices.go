package proxy

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgproto3/v2"

	"askpg/ask"
)

// reportProgress sends NOTICEs about the progress, the first after an
// interval, then at most one in each.
func (t *turn) reportProgress(ctx context.Context, info *sessionInfo) (context.Context, func()) {
	var mu sync.Mutex
	interval := t.inForce().Listen.NoticeInterval.Duration()
	last, done := time.Now(), false
	send := func(message string) {
		mu.Lock()
		defer mu.Unlock()
		if done || time.Since(last) < interval {
			return
		}
		last = time.Now()
		_ = t.writeClient(notice(info, message, "")) // a client that is gone is noticed elsewhere
	}
	return ask.WithProgress(ctx, send), func() {
		mu.Lock()
		defer mu.Unlock()
		done = true
	}
}

// notice encodes a NOTICE in the client's encoding, which info has. Who has no info, as turn.info is nil before the session's first
// question, passes an empty one, and can send only ASCII.
func notice(info *sessionInfo, message, detail string) []byte {
	return encodeNotice(info, pgproto3.NoticeResponse{Severity: "NOTICE", Code: "00000", Message: message, Detail: detail})
}

func encodeNotice(info *sessionInfo, m pgproto3.NoticeResponse) []byte {
	m.SeverityUnlocalized = m.Severity
	for _, s := range []*string{&m.Message, &m.Detail, &m.Hint} {
		*s = info.encoding.encode(ask.Visible(*s))
	}
	return encode(nil, &m)
}

// notices tell a person how the question was answered: the SQL, and in a comment below it how it was understood and
// how sure the answer is. ask(explain) has the rest.
func notices(tr *ask.Translation, info *sessionInfo) []byte {
	var b []byte
	switch understood := strings.Join(strings.Fields(tr.Understood), " "); {
	case tr.FromCatalog(): // its SQL is the list that comes
		b = notice(info, understood, "")
	case tr.SQL != "" && understood != "":
		b = notice(info, ask.VisibleSQL(tr.SQL)+"\n-- "+understood+"; "+agreement(tr), "")
	case tr.SQL != "":
		b = notice(info, ask.VisibleSQL(tr.SQL)+"\n-- "+agreement(tr), "")
	}
	for _, n := range tr.Notices {
		b = append(b, notice(info, n, "")...)
	}
	return b
}

// noticesBeside sends the notices of a question that failed, but for those that its error says.
func (t *turn) noticesBeside(failure error, tr *ask.Translation, info *sessionInfo) error {
	said := ""
	if e := ask.AsError(failure); e != nil {
		said = e.Message + "\n" + e.Detail
	}
	for _, n := range tr.Notices {
		if !info.notices || strings.Contains(said, n) {
			continue
		}
		if err := t.writeClient(notice(info, n, "")); err != nil {
			return err
		}
	}
	return nil
}

// agreement says how sure the answer is, and that there are other readings if their rows are others.
func agreement(tr *ask.Translation) string {
	sure := fmt.Sprintf("confidence %.0f %%", 100*tr.Confidence)
	ran, readings := 0, 0
	results := map[string]bool{}
	for _, c := range tr.Candidates {
		if c.Fate != ask.FateUnrun && c.Fate != ask.FateRepaired {
			ran++
		}
		if c.Origin.Model == string(ask.SourceGrammar) {
			readings++
		}
		if c.Fingerprint != "" {
			results[c.Fingerprint] = true
		}
	}
	switch {
	case ran < 2 || tr.Chosen < 0 || tr.Chosen >= len(tr.Candidates):
	case readings < len(tr.Candidates):
		sure = fmt.Sprintf("%d of %d candidates agree, %s", tr.Candidates[tr.Chosen].Votes, ran, sure)
	case len(results) > 1: // the engine's other readings do not speak against its best one
		sure += fmt.Sprintf("; ASK(candidates); lists %d readings", len(results))
	}
	return sure
}
