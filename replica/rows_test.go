package replica_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"askpg/ask"
	"askpg/internal/pgtest"
	"askpg/replica"
)

func TestOpen_Ends(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	c := pgtest.Shared(t)
	cfg := config(t, c.Standby)
	cfg.PerInstance = 1 // what is not given back is missed by the next
	r := start(t, cfg)
	s := session(db, "analyst")
	count := func(sql string) (int, error) {
		rows, err := r.Open(deadline(t), s, sql, nil)
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		if rows.Next() {
			t.Error("rows after the end")
		}
		if rows.Err() == nil && !rows.Complete() {
			t.Error("not complete")
		}
		return n, rows.Err()
	}
	for _, tt := range []struct {
		sql  string
		n    int
		code string
	}{
		{"select from customers", 100, ""},
		{"select * from customers where false", 0, "42501"},
		{"select id from customers where false", 0, ""},
		{"select id from customers", 100, ""},
		{"select 1/(50-id) from customers", 49, "22012"},
	} {
		n, err := count(tt.sql)
		if n != tt.n || ask.CodeOf(err) != tt.code {
			t.Errorf("%s: %d rows, %v; want %d, %q", tt.sql, n, err, tt.n, tt.code)
		}
	}

	t.Run("closed early", func(t *testing.T) {
		rows, err := r.Open(deadline(t), s, "select id, repeat('x', 1000) from generate_series(1, 1000000) id", nil)
		if err != nil {
			t.Fatal(err)
		}
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
		rows.Close()
		rows.Close()
		idle(t, c.Standby, "generate_series(1, 1000000)")
		if n, err := count("select 1"); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(deadline(t))
		rows, err := r.Open(ctx, s, "select id, repeat('y', 1000) from generate_series(1, 1000000) id", nil)
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		cancel()
		for rows.Next() {
		}
		if ask.CodeOf(rows.Err()) != "57014" || !errors.Is(rows.Err(), context.Canceled) {
			t.Fatal(rows.Err())
		}
		idle(t, c.Standby, "repeat('y'")
		if n, err := count("select 1"); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	})
	t.Run("row too long", func(t *testing.T) {
		cfg := cfg
		cfg.RowBytes = 1 << 20
		rows, err := start(t, cfg).Open(deadline(t), s, "select repeat('z', 900000) || repeat('z', 900000)", nil)
		if err != nil {
			t.Fatal(err)
		}
		if rows.Next() || ask.CodeOf(rows.Err()) != "54000" {
			t.Fatal(rows.Err())
		}
	})
}

// Rows that nobody reads any more give their place and their connection back when their time is
// over, and keep what was read last.
func TestOpen_ExpiresUnread(t *testing.T) {
	db := pgtest.NewDatabase(t, script)
	cfg := config(t, pgtest.Shared(t).Standby)
	const places, rounds = 8, 4 // together more than the pool has connections
	cfg.Questions, cfg.PerInstance, cfg.PerRole = 1, places, places
	cfg.FetchTimeout, cfg.QueueTimeout = ask.Duration(2*time.Second), ask.Duration(30*time.Second)
	r := start(t, cfg)
	s := session(db, "analyst")
	var all []*replica.Rows
	for range places * rounds {
		rows, err := r.Open(deadline(t), s, "select id, repeat('x', 1000) from generate_series(1, 1000000) id", nil)
		if err != nil {
			t.Fatal(err) // the ones before have kept their places
		}
		if !rows.Next() {
			t.Fatal(rows.Err())
		}
		all = append(all, rows)
	}
	for _, rows := range all[:places*(rounds-1)] {
		if string(rows.Values()[0]) != "1" || rows.Next() || ask.CodeOf(rows.Err()) != ask.CodeQueryCanceled || rows.Complete() {
			t.Errorf("%s, then %v", rows.Values()[0], rows.Err())
		}
	}
	for _, rows := range all {
		rows.Close()
	}
}
