package admin

import (
	"fmt"
	"strconv"
	"time"

	"askpg/store"
)

// The charts are drawn by the templates as SVG: here is only arithmetic. All
// lengths are in units of the drawing.
const (
	chartWidth  = 720.0
	chartHeight = 160.0
)

// rect is a bar of a chart.
type rect struct {
	X, Y, W, H float64
	Class      string
	Title      string
}

// tick is a label below or beside a chart.
type tick struct {
	X, Y float64
	Text string
}

type stackedChart struct {
	Bars  []rect
	Ticks []tick
	Top   string // the value at the upper edge
	Label string // for those who do not see it
	Rows  []store.Day
}

// dailyChart stacks the outcomes of every day from since to now.
func dailyChart(days []store.Day, since, now time.Time) stackedChart {
	byDay := map[string]store.Day{}
	most, all := int64(1), int64(0)
	for _, d := range days {
		byDay[d.Day] = d
		most, all = max(most, d.Questions), all+d.Questions
	}
	n := max(int(now.UTC().Truncate(24*time.Hour).Sub(since.UTC().Truncate(24*time.Hour)).Hours()/24)+1, 1)
	step := chartWidth / float64(n)
	c := stackedChart{Top: grouped(most), Label: fmt.Sprintf("Questions by day and outcome: %s in %d days, at most %s a day", grouped(all), n, grouped(most)), Rows: days}
	for i := range n {
		day := since.UTC().AddDate(0, 0, i).Format(time.DateOnly)
		if i%max(n/6, 1) == 0 {
			c.Ticks = append(c.Ticks, tick{X: round(float64(i) * step), Y: chartHeight + 14, Text: day[5:]})
		}
		y := chartHeight
		for _, o := range []store.Outcome{store.Answered, store.Unsure, store.Refused, store.Canceled, store.Failed} {
			count := byDay[day].ByOutcome[o]
			if count == 0 {
				continue
			}
			h := chartHeight * float64(count) / float64(most)
			y -= h
			c.Bars = append(c.Bars, rect{X: round(float64(i) * step), Y: round(y), W: round(max(step-1, 0.5)), H: round(h), Class: string(o), Title: fmt.Sprintf("%s: %s %s", day, grouped(count), o)})
		}
	}
	return c
}

type barChart struct {
	Bars   []rect
	Ticks  []tick
	Label  string
	Labels []string
	Values []int64
}

// bars draws one bar for each label.
func bars(what string, labels []string, values []int64) barChart {
	c := barChart{Label: what, Labels: labels, Values: values}
	most := int64(1)
	for _, v := range values {
		most = max(most, v)
	}
	step := chartWidth / 2 / float64(max(len(values), 1))
	for i, v := range values {
		h := chartHeight * float64(v) / float64(most)
		c.Bars = append(c.Bars, rect{X: round(float64(i)*step + 1), Y: round(chartHeight - h), W: round(step - 2), H: round(h), Class: "plain", Title: labels[i] + ": " + grouped(v)})
		c.Ticks = append(c.Ticks, tick{X: round((float64(i) + 0.5) * step), Y: chartHeight + 14, Text: labels[i]})
	}
	return c
}

func latencyChart(sums []store.Sum) barChart {
	names := []struct{ label, text string }{
		{"000010", "10 ms"}, {"000030", "30"}, {"000100", "100"}, {"000300", "300"}, {"001000", "1 s"}, {"003000", "3 s"}, {"010000", "10 s"}, {"030000", "30 s"}, {"060000", "60 s"}, {"over", "over"},
	}
	var labels []string
	var values []int64
	for _, n := range names {
		labels, values = append(labels, n.text), append(values, valueOf(sums, n.label))
	}
	return bars("Time to an answer, questions by upper bound", labels, values)
}

func sureChart(sums []store.Sum) barChart {
	var labels []string
	var values []int64
	for i := range 11 {
		labels = append(labels, strconv.Itoa(10*i))
		values = append(values, valueOf(sums, fmt.Sprintf("%.1f", float64(i)/10)))
	}
	return bars("Confidence of answers in percent, questions by lower bound", labels, values)
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
		spans = append(spans, span{s.Name, s.Elapsed, round(100 * at / sum), round(max(100*s.Elapsed/sum, 0.3))})
		at += s.Elapsed
	}
	return spans
}

func round(x float64) float64 { return float64(int(x*10+0.5)) / 10 }
