package eval

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"
)

// A plot is drawn on a canvas of plotWidth × plotHeight with a margin for the axes.
const (
	plotWidth, plotHeight = 520, 300
	left, right           = 52, 14
	top, bottom           = 14, 40
)

// colours are told apart by people who see colours differently (Okabe and Ito 2008).
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#666666", "#b8a800"}

func colour(i int) string { return colours[i%len(colours)] }

// plot draws SVG. X and y run from 0 to the maxima.
type plot struct {
	b          strings.Builder
	maxX, maxY float64
}

func newPlot(title, xLabel, yLabel string, maxX, maxY float64, format func(float64) string) *plot {
	p := &plot{maxX: maxX, maxY: maxY}
	fmt.Fprintf(&p.b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, plotWidth, plotHeight, html.EscapeString(title))
	for i := range 6 {
		y := maxY * float64(i) / 5
		fmt.Fprintf(&p.b, `<line class="grid" x1="%d" x2="%d" y1="%.1f" y2="%.1f"/><text class="tick" text-anchor="end" x="%d" y="%.1f">%.2g</text>`,
			left, plotWidth-right, p.y(y), p.y(y), left-6, p.y(y)+4, y)
		if format != nil {
			x := maxX * float64(i) / 5
			p.text(x, format(x))
		}
	}
	fmt.Fprintf(&p.b, `<text class="label" text-anchor="middle" x="%d" y="%d">%s</text>`, (plotWidth+left)/2, plotHeight-6, html.EscapeString(xLabel))
	fmt.Fprintf(&p.b, `<text class="label" text-anchor="middle" transform="rotate(-90)" x="%d" y="13">%s</text>`, -(plotHeight-bottom)/2, html.EscapeString(yLabel))
	return p
}

func (p *plot) x(v float64) float64 { return left + (plotWidth-left-right)*v/cmp.Or(p.maxX, 1) }
func (p *plot) y(v float64) float64 {
	return plotHeight - bottom - (plotHeight-top-bottom)*v/cmp.Or(p.maxY, 1)
}

func (p *plot) line(class, colour string, points [][2]float64) {
	var path []string
	for _, at := range points {
		path = append(path, fmt.Sprintf("%.1f,%.1f", p.x(at[0]), p.y(at[1])))
	}
	fmt.Fprintf(&p.b, `<polyline class="%s" fill="none" stroke="%s" points="%s"/>`, class, colour, strings.Join(path, " "))
}

func (p *plot) dot(colour string, x, y, radius float64, title string) {
	fmt.Fprintf(&p.b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" fill-opacity=".8"><title>%s</title></circle>`, p.x(x), p.y(y), radius, colour, html.EscapeString(title))
}

func (p *plot) bar(colour string, x, width, from, to float64, title string) {
	fmt.Fprintf(&p.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"><title>%s</title></rect>`,
		p.x(x), p.y(to), math.Max(p.x(x+width)-p.x(x)-1, 1), math.Max(p.y(from)-p.y(to), 0), colour, html.EscapeString(title))
}

func (p *plot) text(x float64, s string) {
	fmt.Fprintf(&p.b, `<text class="tick" text-anchor="middle" x="%.1f" y="%d">%s</text>`, p.x(x), plotHeight-bottom+16, html.EscapeString(s))
}

func (p *plot) svg() template.HTML { return template.HTML(p.b.String() + "</svg>") }

func percent(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }

// plotAccuracy draws the accuracy of each system, all questions first, then by
// difficulty.
func plotAccuracy(systems []Summary) template.HTML {
	var groups []string
	for _, s := range systems {
		for _, part := range s.ByDifficulty {
			if !slices.Contains(groups, part.Name) {
				groups = append(groups, part.Name)
			}
		}
	}
	p := newPlot("accuracy by difficulty", "", "accuracy", float64(len(groups)+1), 1, nil)
	width := .84 / float64(len(systems))
	for i, s := range systems {
		at := .08 + width*float64(i)
		p.bar(colour(i), at, width, 0, s.Perm, fmt.Sprintf("%s: %.3f (%.3f to %.3f)", s.System, s.Perm, s.PermLow, s.PermHigh))
		middle := p.x(at + width/2)
		fmt.Fprintf(&p.b, `<line class="interval" x1="%.1f" x2="%.1f" y1="%.1f" y2="%.1f"/>`, middle, middle, p.y(s.PermLow), p.y(s.PermHigh))
		for _, part := range s.ByDifficulty {
			group := float64(slices.Index(groups, part.Name) + 1)
			p.bar(colour(i), group+at, width, 0, part.Perm, fmt.Sprintf("%s, %s: %.3f of %d", s.System, part.Name, part.Perm, part.Questions))
		}
	}
	p.text(.5, "all")
	for g, name := range groups {
		p.text(float64(g)+1.5, name)
	}
	return p.svg()
}

// plotCoverage draws accuracy against coverage while the least confident
// answers are left out.
func plotCoverage(systems []Summary) template.HTML {
	p := newPlot("coverage and accuracy", "answered", "accuracy of those", 1, 1, percent)
	for i, s := range systems {
		var points [][2]float64
		for _, at := range s.Curve {
			points = append(points, [2]float64{at.Coverage, at.Accuracy})
			p.dot(colour(i), at.Coverage, at.Accuracy, 2.5, fmt.Sprintf("%s: confidence %.2f and above: %.3f answered, %.3f right", s.System, at.Confidence, at.Coverage, at.Accuracy))
		}
		p.line("curve", colour(i), points)
	}
	return p.svg()
}

// plotCalibration draws accuracy against confidence; a dot's area is its number of answers.
func plotCalibration(systems []Summary) template.HTML {
	p := newPlot("calibration", "confidence", "accuracy", 1, 1, percent)
	p.line("ideal", "#999999", [][2]float64{{0, 0}, {1, 1}})
	for i, s := range systems {
		var points [][2]float64
		for _, b := range s.Bins {
			if b.N > 0 {
				points = append(points, [2]float64{b.Confidence, b.Accuracy})
				p.dot(colour(i), b.Confidence, b.Accuracy, 2+12*math.Sqrt(float64(b.N)/float64(max(s.Questions, 1))),
					fmt.Sprintf("%s: %d answers of confidence %.2f, %.3f right", s.System, b.N, b.Confidence, b.Accuracy))
			}
		}
		p.line("curve", colour(i), points)
	}
	return p.svg()
}

// plotCost draws accuracy against what a question costs: money, or tokens
// where models have no price, or calls.
func plotCost(systems []Summary) template.HTML {
	label, cost := "money a question", func(s Summary) float64 { return s.Cost }
	for _, unit := range []struct {
		label string
		cost  func(Summary) float64
	}{
		{"tokens a question", func(s Summary) float64 { return s.Tokens }},
		{"calls a question", func(s Summary) float64 { return s.Calls }},
	} {
		if most(systems, cost) == 0 {
			label, cost = unit.label, unit.cost
		}
	}
	p := newPlot("cost and accuracy", label, "accuracy", cmp.Or(most(systems, cost), 1)*1.1, 1, func(v float64) string { return fmt.Sprintf("%.3g", v) })
	for i, s := range systems {
		p.dot(colour(i), cost(s), s.Perm, 6, fmt.Sprintf("%s: %.4g, %.3f", s.System, cost(s), s.Perm))
	}
	return p.svg()
}

func most(systems []Summary, of func(Summary) float64) float64 {
	var m float64
	for _, s := range systems {
		m = max(m, of(s))
	}
	return m
}

// plotLatency draws the mean time of each stage, and marks median and 95th
// percentile of the whole.
func plotLatency(systems []Summary) template.HTML {
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	longest := most(systems, func(s Summary) float64 { return ms(s.P95) })
	p := newPlot("time", "", "milliseconds", float64(len(systems)), cmp.Or(longest, 1)*1.1, nil)
	for i, s := range systems {
		var from float64
		for j, stage := range s.Stages {
			to := from + ms(stage.Elapsed)
			p.bar(colour(j+1), float64(i)+.2, .6, from, to, fmt.Sprintf("%s, %s: %.1f ms", s.System, stage.Name, ms(stage.Elapsed)))
			from = to
		}
		for _, mark := range []struct {
			name string
			at   time.Duration
		}{{"median", s.P50}, {"95 %", s.P95}} {
			p.line("mark", "#000000", [][2]float64{{float64(i) + .15, ms(mark.at)}, {float64(i) + .85, ms(mark.at)}})
			p.dot("#000000", float64(i)+.5, ms(mark.at), 3, fmt.Sprintf("%s, %s: %.1f ms", s.System, mark.name, ms(mark.at)))
		}
		if len(systems) <= 6 {
			p.text(float64(i)+.5, s.System)
		}
	}
	return p.svg()
}
