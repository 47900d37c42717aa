// Command figures prints the sizes of the code as a table: one column for the
// working tree, and one for each commit that it is given.
//
//	go run ./scripts/figures [-build] [COMMIT ...]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	build := flag.Bool("build", false, "also measure the CPU time of compiling and linking the module's own packages")
	flag.Parse()
	if err := run(*build, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(build bool, commits []string) error {
	top, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("finding the repository: %w", err)
	}
	root := strings.TrimSpace(string(top))
	names, trees := commits, []string{}
	for _, commit := range commits {
		dir, err := checkout(root, commit)
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		trees = append(trees, dir)
	}
	names, trees = append(names, "working tree"), append(trees, root)

	var rows [][]string
	for i, dir := range trees {
		figures, err := measure(dir, build)
		if err != nil {
			return fmt.Errorf("%s: %w", names[i], err)
		}
		for n, f := range figures {
			if i == 0 {
				rows = append(rows, []string{f.name})
			}
			rows[n] = append(rows[n], f.value)
		}
	}
	fmt.Printf("| | %s |\n|%s\n", strings.Join(names, " | "), strings.Repeat(" --- |", len(names)+1))
	for _, row := range rows {
		fmt.Printf("| %s |\n", strings.Join(row, " | "))
	}
	return nil
}

// checkout unpacks a commit in a temporary folder, which the caller removes.
func checkout(root, commit string) (string, error) {
	dir, err := os.MkdirTemp("", "figures-")
	if err != nil {
		return "", err
	}
	archive := filepath.Join(dir, "archive.tar")
	if out, err := exec.Command("git", "-C", root, "archive", "-o", archive, commit).CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("unpacking %s: %w\n%s", commit, err, out)
	}
	if out, err := exec.Command("tar", "-xf", archive, "-C", dir).CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		return "", fmt.Errorf("unpacking %s: %w\n%s", commit, err, out)
	}
	return dir, os.Remove(archive)
}

// figure is one row of the table.
type figure struct{ name, value string }

// measure reads the Go files below dir, those in testdata aside.
func measure(dir string, build bool) ([]figure, error) {
	m, err := readModule(dir)
	if err != nil {
		return nil, err
	}
	var production, test, code, testCode, longest int
	packages := map[string]bool{}
	for _, f := range m.files {
		if f.test {
			test += f.lines
			testCode += f.code
			continue
		}
		production += f.lines
		code += f.code
		longest = max(longest, f.lines)
		packages[f.dir] = true
	}
	proxy := 0
	for _, f := range m.files {
		if f.dir == "proxy" && !f.test {
			proxy++
		}
	}
	over40, over25, err := complexity(dir)
	if err != nil {
		return nil, err
	}
	e := m.exported()
	figures := []figure{
		{"lines of production code", fmt.Sprint(production)},
		{"of them code, without comments and blank lines", fmt.Sprint(code)},
		{"lines of test code", fmt.Sprint(test)},
		{"of them code, without comments and blank lines", fmt.Sprint(testCode)},
		{"production lines for one of tests", fmt.Sprintf("%.2f", float64(production)/float64(test))},
		{"packages", fmt.Sprint(len(packages))},
		{"production files of proxy", fmt.Sprint(proxy)},
		{"lines of the longest production file", fmt.Sprint(longest)},
		{"functions over cognitive complexity 40", fmt.Sprint(over40)},
		{"functions over cognitive complexity 25", fmt.Sprint(over25)},
		{"exported names of packages", fmt.Sprint(e.all)},
		{"of them used by production code of other packages", fmt.Sprint(e.outside)},
		{"of them used outside by tests only", fmt.Sprint(e.tests)},
		{"of them used in their own package only", fmt.Sprint(e.all - e.outside - e.tests)},
	}
	if build {
		seconds, err := buildTime(dir)
		if err != nil {
			return nil, err
		}
		figures = append(figures, figure{"CPU seconds to build the module's own packages", fmt.Sprintf("%.1f", seconds)})
	}
	return figures, nil
}
