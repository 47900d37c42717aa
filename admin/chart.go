package admin

import (
	"fmt"
	"strconv"
	"time"

	"askpg/store"
)

// The templates draw the charts as SVG that is stretched to its place, so all lengths here are percent of it. What is
// written beside a chart is HTML and keeps its size.

// rect is a bar of a chart.
type rect struct {
	X, Y, W, H float64
	Class      string
	Title      string
	Href       string // of the translations that it counts; empty for no link
}

// linkTo returns the address of the translations that an overview counts, with further filters by name and value.
type linkTo func(pairs ...any) string

// chart is a bar chart with the labels of its axes.
type chart struct {
	Label        string   // for those who do not see it
	Bars         []rect   // stacked ones lie above each other
	YLabels      []string // of the vertical axis, from the top down
	XLabels      []string // of the horizontal axis
	LabelEachBar bool     // there is a label for each bar, else they are spread out
	Bins         []bin    // of a histogram, for the table that says what it shows
}

// dailyChart stacks the outcomes of every day from since to now.
func dailyChart(days []store.Day, since, now time.Time, link linkTo) chart {
	byDay := map[string]store.Day{}
	most, all := int64(0), int64(0)
	for _, d := range days {
		byDay[d.Day] = d
		most, all = max(most, d.Questions), all+d.Questions
	}
	n := max(int(now.UTC().Truncate(24*time.Hour).Sub(since.UTC().Truncate(24*time.Hour)).Hours()/24)+1, 1)
	day := func(i int) time.Time { return since.UTC().AddDate(0, 0, i) }
	step := 100 / float64(n)
	c := chart{Label: fmt.Sprintf("Questions by day and outcome: %s in %d days, at most %s a day", grouped(all), n, grouped(most))}
	for i := range 5 {
		c.XLabels = append(c.XLabels, day(i*(n-1)/4).Format("2 Jan"))
	}
	top := c.scaleY(most)
	for i := range n {
		name := day(i).Format(time.DateOnly)
		y := 100.0
		if n := byDay[name].Questions; n > 0 {
			c.Bars = append(c.Bars, rect{X: round(float64(i) * step), W: round(step), H: 100, Class: "place", Title: fmt.Sprintf("%s: %s questions", name, grouped(n)), Href: link("since", name, "until", name)})
		}
		for _, o := range store.Outcomes {
			count := byDay[name].ByOutcome[o]
			if count == 0 {
				continue
			}
			h := 100 * float64(count) / float64(top)
			y -= h
			c.Bars = append(c.Bars, rect{X: round(float64(i)*step + step/8), Y: round(y), W: round(step * 3 / 4), H: round(h), Class: string(o), Title: fmt.Sprintf("%s: %s %s", name, grouped(count), o),
				Href: link("since", name, "until", name, "outcome", o)})
		}
	}
	return c
}

// scaleY labels the vertical axis for values up to most and returns its top,
// which has a half.
func (c *chart) scaleY(most int64) (top int64) {
	top = 2
	for scale := int64(1); top < most; scale *= 10 {
		for _, n := range []int64{2, 4, 6, 8, 10, 12, 16, 20} {
			if top = n * scale; top >= most {
				break
			}
		}
	}
	c.YLabels = []string{grouped(top), grouped(top / 2), "0"}
	return top
}

// histogram draws one bar for each bin.
func histogram(what string, bins []bin) chart {
	c := chart{Label: what, LabelEachBar: true, Bins: bins}
	most := int64(0)
	for _, b := range bins {
		most = max(most, b.N)
		c.XLabels = append(c.XLabels, b.short)
	}
	top := c.scaleY(most)
	step := 100 / float64(len(bins))
	for i, b := range bins {
		if b.N > 0 {
			h := 100 * float64(b.N) / float64(top)
			bar := rect{X: round(float64(i) * step), W: round(step), H: 100, Class: "place", Title: b.short + ": " + grouped(b.N), Href: b.Href}
			c.Bars = append(c.Bars, bar)
			bar.X, bar.Y, bar.W, bar.H, bar.Class = round((float64(i)+0.06)*step), round(100-h), round(step*0.88), round(h), "plain"
			c.Bars = append(c.Bars, bar)
		}
	}
	return c
}

// latencyBins are the labels of the sums by time, how the chart and its table call them, and their upper bound in seconds.
var latencyBins = []struct {
	label, short, text string
	upTo               float64
}{
	{"000010", "10 ms", "up to 10 ms", 0.01}, {"000030", "30", "up to 30 ms", 0.03}, {"000100", "100", "up to 100 ms", 0.1}, {"000300", "300", "up to 300 ms", 0.3}, {"001000", "1 s", "up to 1 s", 1},
	{"003000", "3", "up to 3 s", 3}, {"010000", "10", "up to 10 s", 10}, {"030000", "30", "up to 30 s", 30}, {"060000", "60", "up to 60 s", 60}, {"over", "more", "more", 0},
}

func latencyChart(sums []store.Sum, link linkTo) chart {
	var bins []bin
	from := 0.0
	for _, b := range latencyBins {
		bins = append(bins, bin{b.short, b.text, valueOf(sums, b.label), link("slower", from, "faster", b.upTo)})
		from = b.upTo
	}
	return histogram("Time to an answer, questions by upper bound", bins)
}

func confidenceChart(sums []store.Sum, link linkTo) chart {
	var bins []bin
	for i := range 11 {
		b := bin{strconv.Itoa(10 * i), "100 %", valueOf(sums, fmt.Sprintf("%.1f", float64(i)/10)), link("outcome", "answered", "min", 100)}
		if i < 10 {
			b.Text, b.Href = fmt.Sprintf("%d to %d %%", 10*i, 10*i+10), link("outcome", "answered", "min", 10*i, "max", 10*i+10)
		}
		bins = append(bins, b)
	}
	return histogram("Confidence of answers in percent, answers by lower bound", bins)
}

// bin is a bar of a histogram, and a row of the table that says what it shows.
type bin struct {
	short string // below the bar
	Text  string // in the table
	N     int64
	Href  string // of the translations that it counts
}

func valueOf(sums []store.Sum, label string) int64 {
	for _, s := range sums {
		if s.Label == label {
			return s.N
		}
	}
	return 0
}

// span is a stage on the time line.
type span struct {
	Name    string
	Elapsed float64
	X, W    float64 // in percent
}

// timeline lays the stages one after the other.
func timeline(r *store.Record) []span {
	sum := 0.0
	for _, s := range r.Stages {
		sum += s.Elapsed
	}
	sum = max(sum, r.Elapsed)
	if sum <= 0 {
		return nil
	}
	var spans []span
	at := 0.0
	for _, s := range r.Stages {
		x := round(min(100*at/sum, 99))
		spans = append(spans, span{s.Name, s.Elapsed, x, round(max(100*s.Elapsed/sum, 1))})
		at += s.Elapsed
	}
	return spans
}

func round(x float64) float64 { return float64(int(x*100+0.5)) / 100 }
