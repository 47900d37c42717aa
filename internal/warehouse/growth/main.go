// Command growth draws what BenchmarkSearch of catalog reports as an SVG: the
// 99th percentile of processor time by the number of tables, both logarithmic.
//
//	go test ./catalog -run xxx -bench Search -benchtime 2000x | go run ./internal/warehouse/growth > docs/images/search.svg
package main

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"
)

func main() {
	if err := draw(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

type point struct{ tables, ms float64 }

// read collects the points of each benchmark: lines like
// "BenchmarkSearch/values/100-2  500  … 0.72 p99-cpu-ms …".
func read(in io.Reader) (map[string][]point, error) {
	out := map[string][]point{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || !strings.HasPrefix(fields[0], "BenchmarkSearch/") {
			continue
		}
		name := strings.Split(fields[0], "/")
		if len(name) != 3 {
			continue
		}
		size, _, _ := strings.Cut(name[2], "-")
		tables, err := strconv.ParseFloat(size, 64)
		if err != nil {
			return nil, err
		}
		for i := 1; i < len(fields); i++ {
			if fields[i] != "p99-cpu-ms" {
				continue
			}
			ms, err := strconv.ParseFloat(fields[i-1], 64)
			if err != nil {
				return nil, err
			}
			out[name[1]] = append(out[name[1]], point{tables, ms})
		}
	}
	return out, lines.Err()
}

const (
	width, height       = 640, 400
	left, right         = 70, 110
	top, bottom         = 20, 45
	fromTables          = 100.0
	toTables            = 10000.0
	fromMs, toMs        = 0.001, 100.0
	plotWide, plotTall  = width - left - right, height - top - bottom
	grid, ink, paleText = "#d8dde3", "#24292f", "#57606a"
)

var colours = []string{"#0969da", "#bc4c00", "#1a7f37", "#8250df", "#cf222e"}

func x(tables float64) float64 {
	return left + plotWide*math.Log(tables/fromTables)/math.Log(toTables/fromTables)
}

func y(ms float64) float64 {
	return top + plotTall*(1-math.Log(max(ms, fromMs)/fromMs)/math.Log(toMs/fromMs))
}

func draw(in io.Reader, out io.Writer) error {
	series, err := read(in)
	if err != nil {
		return err
	}
	if len(series) == 0 {
		return fmt.Errorf("no result of BenchmarkSearch to draw")
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height)
	fmt.Fprintf(w, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for ms := fromMs; ms <= toMs*1.01; ms *= 10 {
		fmt.Fprintf(w, `<path d="M%d %.1fH%d" stroke="%s"/><text x="%d" y="%.1f" text-anchor="end" fill="%s">%s ms</text>`+"\n",
			left, y(ms), width-right, grid, left-8, y(ms)+4, paleText, strconv.FormatFloat(ms, 'g', 3, 64))
	}
	for tables := fromTables; tables <= toTables; tables *= 10 {
		fmt.Fprintf(w, `<path d="M%.1f %dV%d" stroke="%s"/><text x="%.1f" y="%d" text-anchor="middle" fill="%s">%.0f tables</text>`+"\n",
			x(tables), top, height-bottom, grid, x(tables), height-bottom+18, paleText, tables)
	}
	names := make([]string, 0, len(series))
	for name := range series {
		names = append(names, name)
	}
	sort.Strings(names)
	for i, name := range names {
		points := series[name]
		sort.Slice(points, func(i, j int) bool { return points[i].tables < points[j].tables })
		colour := colours[i%len(colours)]
		var line strings.Builder
		for _, p := range points {
			fmt.Fprintf(&line, "%.1f,%.1f ", x(p.tables), y(p.ms))
			fmt.Fprintf(w, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`+"\n", x(p.tables), y(p.ms), colour)
		}
		fmt.Fprintf(w, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`+"\n", strings.TrimSpace(line.String()), colour)
		last := points[len(points)-1]
		fmt.Fprintf(w, `<text x="%.1f" y="%.1f" fill="%s">%s</text>`+"\n", x(last.tables)+8, y(last.ms)+4, colour, name)
	}
	fmt.Fprintf(w, `<text x="%d" y="%d" fill="%s">99th percentile of processor time</text>`+"\n", left, height-8, ink)
	fmt.Fprintln(w, "</svg>")
	return w.Flush()
}
