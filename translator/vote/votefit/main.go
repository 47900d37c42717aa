// Command votefit fits the weights of the vote on recorded answers, and measures them
// on databases that they were not fitted on:
//
//	go run ./translator/vote/votefit -fit SET,… -voters A,B,C;D,E -out translator/vote/weights.json
//	go run ./translator/vote/votefit -measure SET -voters A,B,C
//
// SET is a folder with questions.jsonl, databases/*.sql and
// predictions/SYSTEM.jsonl. It needs PostgreSQL's server programs.
//
// With -fit each database is measured by weights that know nothing of it: its
// groups taught them nothing, and neither did decisions that weights took which knew it. The
// weights that -out gets are fitted on all databases.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"askpg/translator/vote"
)

func main() {
	fit := flag.String("fit", "", "comma-separated question sets to fit on, each database measured by weights of the others")
	measure := flag.String("measure", "", "question set to measure the weights in force on")
	out := flag.String("out", "", "file for the fitted weights")
	ridge := flag.Float64("ridge", 10, "pull of the groups' weights towards a plain vote")
	calibration := flag.Float64("calibration-ridge", 20, "pull of the calibration's weights towards 0")
	voters := flag.String("voters", "", "comma-separated systems whose decisions are measured, several lists separated by semicolons, the first of which calibrates; all of the set if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *fit, *measure, *out, *voters, *ridge, *calibration); err != nil {
		fmt.Fprintln(os.Stderr, "votefit:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, fit, measure, out, voters string, ridge, calibration float64) error {
	switch {
	case fit != "":
		return fitted(ctx, list(fit), out, strings.Split(voters, ";"), ridge, calibration)
	case measure != "":
		recorded, err := record(ctx, measure)
		if err != nil {
			return err
		}
		for _, v := range strings.Split(voters, ";") {
			plain, _ := outcomes(recorded, list(v), nil)
			weighed, _ := outcomes(recorded, list(v), vote.Fitted)
			fmt.Printf("%d questions: votes alone %.3f, weighed %.3f, %s\n", len(recorded), plain.accuracy(), weighed.accuracy(), weighed.calibration())
		}
		return nil
	}
	return fmt.Errorf("give -fit or -measure with the folder of a question set")
}

// fitted measures the databases of each set and of all, for each list of
// voters, and writes the weights of all.
func fitted(ctx context.Context, sets []string, out string, voters []string, ridge, calibration float64) error {
	var all []*question
	bySet := make([][]string, len(sets)) // databases
	for i, dir := range sets {
		recorded, err := record(ctx, dir)
		if err != nil {
			return err
		}
		all = append(all, recorded...)
		bySet[i] = newStudy(recorded, nil, ridge, calibration).databases()
	}
	study := newStudy(all, list(voters[0]), ridge, calibration)
	weights := study.leftOut()
	if len(sets) > 1 {
		sets, bySet = append(sets, "all sets"), append(bySet, study.databases())
	}
	for _, v := range voters {
		for i, set := range sets {
			if databases := study.voted(bySet[i], list(v)); len(databases) > 0 {
				fmt.Printf("%s, voters %s\n", set, v)
				fmt.Println(study.report(os.Stdout, weights, databases, list(v)).table())
			}
		}
	}
	if out == "" {
		return nil
	}
	b, err := json.MarshalIndent(study.fit(study.databases()), "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(b, '\n'), 0o644)
}
