// Votefit fits the weights of the vote on recorded answers, and measures them
// on databases that they were not fitted on:
//
//	go run ./translator/vote/votefit -fit SET,… -out translator/vote/weights.json
//	go run ./translator/vote/votefit -measure SET
//
// SET is a folder with questions.jsonl, databases/*.sql and
// predictions/SYSTEM.jsonl. It needs PostgreSQL's server programs.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"askpg/translator/vote"
)

func main() {
	fit := flag.String("fit", "", "comma-separated question sets to fit on, each database measured by weights of the others")
	measure := flag.String("measure", "", "question set to measure the weights in force on")
	out := flag.String("out", "", "file for the fitted weights")
	ridge := flag.Float64("ridge", 10, "pull of the groups' weights towards a plain vote")
	calibration := flag.Float64("calibration-ridge", 20, "pull of the calibration's weights towards 0")
	voters := flag.String("voters", "", "comma-separated systems; all of the set if empty")
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
		var recorded []*question
		for _, dir := range list(fit) {
			more, err := record(ctx, dir)
			if err != nil {
				return err
			}
			recorded = append(recorded, more...)
		}
		weights := leaveOneOut(recorded, list(voters), ridge, calibration)
		if out == "" {
			return nil
		}
		b, err := json.MarshalIndent(weights, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(out, append(b, '\n'), 0o644)
	case measure != "":
		recorded, err := record(ctx, measure)
		if err != nil {
			return err
		}
		plain, _ := outcomes(recorded, list(voters), nil)
		weighed, _ := outcomes(recorded, list(voters), vote.Fitted)
		fmt.Printf("%d questions: votes alone %.3f, weighed %.3f, %s\n", len(recorded), plain.accuracy(), weighed.accuracy(), weighed.calibration())
		return nil
	}
	return fmt.Errorf("give -fit or -measure with the folder of a question set")
}
