package main

import (
	"context"

	"askpg/ask"
	"askpg/proxy"
	"askpg/replica"
	"askpg/translator"
)

// executor is the replica as the translator wants it: the types differ by the
// name of the snapshot alone.
type executor struct{ *replica.Replica }

func (e executor) Begin(ctx context.Context, s ask.Session) (translator.Snapshot, error) {
	snap, err := e.Replica.Begin(e.Question(ctx), s)
	if err != nil {
		return nil, err
	}
	return snap, nil
}

// bounded returns a Translator whose questions do no more on the replica than
// one may, whatever of the chain asks for it.
func (a *app) bounded(next ask.Translator) ask.Translator {
	return ask.TranslatorFunc(func(ctx context.Context, q ask.Question) (*ask.Translation, error) {
		return next.Translate(a.replica.Question(ctx), q)
	})
}

// streamer is the replica as the proxy wants it.
type streamer struct{ *replica.Replica }

func (e streamer) Open(ctx context.Context, s ask.Session, sql string, formats []int16) (proxy.Rows, error) {
	rows, err := e.Replica.Open(ctx, s, sql, formats)
	if err != nil {
		return nil, err
	}
	return rows, nil
}

func (e streamer) OpenStatement(ctx context.Context, s ask.Session, st ask.Statement, formats []int16) (proxy.Rows, error) {
	rows, err := e.Replica.OpenStatement(ctx, s, st, formats)
	if err != nil {
		return nil, err
	}
	return rows, nil
}
