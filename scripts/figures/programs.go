package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// gocognit measures cognitive complexity (Campbell, SonarSource 2018).
const gocognit = "github.com/uudashr/gocognit/cmd/gocognit@v1.3.0"

// complexity counts the functions, tests aside, above 40 and above 25.
func complexity(dir string) (over40, over25 int, err error) {
	cmd := exec.Command("go", "run", gocognit, "-json", "-ignore", "_test.go|/testdata/|/deploy/", ".")
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return 0, 0, fmt.Errorf("gocognit: %w\n%s", err, errs.Bytes())
	}
	var functions []struct{ Complexity int }
	if err := json.Unmarshal(out, &functions); err != nil {
		return 0, 0, fmt.Errorf("reading gocognit's output: %w", err)
	}
	for _, f := range functions {
		if f.Complexity > 40 {
			over40++
		}
		if f.Complexity > 25 {
			over25++
		}
	}
	return over40, over25, nil
}

// buildTime returns the CPU seconds, user and system, of compiling the module's
// own packages and linking the program. What it imports is compiled before.
func buildTime(dir string) (float64, error) {
	binary := dir + ".figures"
	defer os.Remove(binary)
	build := func(flags ...string) (float64, error) {
		cmd := exec.Command("go", append(append([]string{"build", "-trimpath"}, flags...), "-o", binary, "./cmd/askpg")...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("building: %w\n%s", err, out)
		}
		return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
	}
	if _, err := build(); err != nil {
		return 0, err
	}
	// A flag that changes nothing but the key of the build cache.
	return build(fmt.Sprintf("-gcflags=./...=-D=/%d", time.Now().UnixNano()))
}
