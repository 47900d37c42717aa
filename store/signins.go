package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// SignIn is a sign-in at the review page that stands: for every instance that shares the store, until its time or its
// sign-out.
type SignIn struct {
	Name     string // of the person
	How      string // token or oidc
	Evidence string // what his rights are judged by anew with each request
	Until    time.Time
}

// ErrUsed says that what may begin one sign-in has begun one already.
var ErrUsed = errors.New("it was used already")

// signInKey is what the store keeps of a secret, so that who reads the store cannot sign in with it.
func signInKey(kind, secret string) string {
	sum := sha256.Sum256([]byte(kind + "\x00" + secret))
	return hex.EncodeToString(sum[:])
}

// SignIn keeps a sign-in by the secret of its cookie. once, if it is not empty, can begin one sign-in; the error is ErrUsed
// then, if it has.
func (s *Store) SignIn(ctx context.Context, secret, once string, in SignIn) error {
	return s.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, s.bind(`delete from signins where until < ?`), time.Now().Unix()); err != nil {
			return err
		}
		insert := s.bind(`insert into signins (id, until, name, how, evidence) values (?, ?, ?, ?, ?) on conflict (id) do nothing`)
		if once != "" {
			n, err := s.change(ctx, tx, insert, signInKey("once", once), in.Until.Unix(), "", "", "")
			if err == nil && n == 0 {
				err = ErrUsed
			}
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, insert, signInKey("cookie", secret), in.Until.Unix(), storable(in.Name), in.How, in.Evidence)
		return err
	})
}

// SignedIn returns the sign-in of a cookie, nil without an error if none stands.
func (s *Store) SignedIn(ctx context.Context, secret string) (*SignIn, error) {
	ctx, cancel := s.lookUpContext(ctx)
	defer cancel()
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	var in SignIn
	var until int64
	err := s.read.QueryRowContext(ctx, s.bind(`select name, how, evidence, until from signins where id = ? and until > ?`), signInKey("cookie", secret), time.Now().Unix()).
		Scan(&in.Name, &in.How, &in.Evidence, &until)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("sign-ins: %w", err)
	}
	in.Until = time.Unix(until, 0)
	return &in, nil
}

// SignOut ends the sign-in of a cookie.
func (s *Store) SignOut(ctx context.Context, secret string) error {
	_, err := s.changeAlone(ctx, `delete from signins where id = ?`, signInKey("cookie", secret))
	return err
}
