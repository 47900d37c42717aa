// Command votefit fits the calibration of the vote's confidence on recorded
// answers, and measures it on databases that it was not fitted on:
//
//	go run ./translator/vote/votefit -set SET,… -voters "A,B,C;D,E"
//
// SET is a folder with questions.jsonl, databases/*.sql and
// predictions/SYSTEM.jsonl. It needs PostgreSQL's server programs. The last line
// has the weights that are fitted on all databases, for vote/confidence.go.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"askpg/ask"
)

func main() {
	sets := flag.String("set", "", "comma-separated question sets")
	voters := flag.String("voters", "", "comma-separated systems, several lists separated by semicolons, the first of which is fitted on; all of the set if empty")
	ridge := flag.Float64("ridge", 5, "pull of the weights towards 0")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, ask.SplitList(*sets), strings.Split(*voters, ";"), *ridge); err != nil {
		fmt.Fprintln(os.Stderr, "votefit:", err)
		os.Exit(1)
	}
}

// run measures the databases of all sets for each list of voters.
func run(ctx context.Context, sets, voters []string, ridge float64) error {
	if len(sets) == 0 {
		return errors.New("give -set with the folder of a question set")
	}
	var all []*question
	for _, dir := range sets {
		recorded, err := record(ctx, dir)
		if err != nil {
			return err
		}
		all = append(all, recorded...)
	}
	study := newStudy(all, ask.SplitList(voters[0]), ridge)
	weights := study.leftOut()
	for _, v := range voters {
		var plain, sure tally
		for _, db := range study.databases() {
			if ballots, _ := study.questions[db][0].pick(ask.SplitList(v)); len(ballots) == 0 {
				continue
			}
			plain.add(outcomes(study.questions[db], ask.SplitList(v), nil))
			sure.add(outcomes(study.questions[db], ask.SplitList(v), weights[db]))
		}
		fmt.Printf("voters %s\n%d questions: %.3f right\nshare of the votes: %s\ncalibrated on the other databases: %s\n\n",
			v, len(sure.right), sure.accuracy(), plain.calibration(), sure.calibration())
	}
	fmt.Printf("weights %v\n", study.fitted(study.databases()))
	return nil
}
