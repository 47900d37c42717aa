package eval

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"time"
)

//go:embed report.html.tmpl
var reportHTML string

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"share":  func(v float64) string { return fmt.Sprintf("%.3f", v) },
	"ms":     func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) },
	"number": func(v float64) string { return fmt.Sprintf("%.4g", v) },
	"colour": func(i int) template.CSS { return template.CSS(colour(i)) },
}).Parse(reportHTML))

// maxFailures bounds the failures in the HTML report; the CSV has them all.
const maxFailures = 1500

// setSection is what the HTML report says of one set.
type setSection struct {
	Name                                           string
	Systems                                        []Summary
	Pairs                                          []Pair
	Accuracy, Coverage, Calibration, Cost, Latency template.HTML
}

// writeHTML writes the report as one file that needs nothing else.
func (r *Report) writeHTML(w io.Writer) error {
	var page struct {
		Sets     []setSection
		Failures []Failure
		Left     int // failures that are left out
	}
	for _, s := range r.Systems {
		if len(page.Sets) == 0 || page.Sets[len(page.Sets)-1].Name != s.Set {
			page.Sets = append(page.Sets, setSection{Name: s.Set})
		}
		set := &page.Sets[len(page.Sets)-1]
		set.Systems = append(set.Systems, s)
	}
	for i := range page.Sets {
		set := &page.Sets[i]
		for _, p := range r.Pairs {
			if p.Set == set.Name {
				set.Pairs = append(set.Pairs, p)
			}
		}
		set.Accuracy, set.Coverage, set.Calibration = plotAccuracy(set.Systems), plotCoverage(set.Systems), plotCalibration(set.Systems)
		set.Cost, set.Latency = plotCost(set.Systems), plotLatency(set.Systems)
	}
	page.Failures = r.Failures
	if len(page.Failures) > maxFailures {
		page.Left = len(page.Failures) - maxFailures
		page.Failures = page.Failures[:maxFailures]
	}
	return reportTemplate.Execute(w, page)
}
