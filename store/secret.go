package store

import (
	"context"
	"crypto/rand"
)

// secret returns what the instances share under a name; the first one makes it.
func (s *Store) secret(ctx context.Context, name string) ([]byte, error) {
	if err := s.ready(ctx); err != nil {
		return nil, err
	}
	s.secretsMu.Lock()
	defer s.secretsMu.Unlock()
	if v := s.secrets[name]; v != nil {
		return v, nil
	}
	fresh := make([]byte, 32)
	_, _ = rand.Read(fresh) // never fails
	if _, err := s.db.ExecContext(ctx, s.bind(`insert into secrets (name, value) values (?, ?) on conflict (name) do nothing`), name, fresh); err != nil {
		return nil, err
	}
	var value []byte
	if err := s.db.QueryRowContext(ctx, s.bind(`select value from secrets where name = ?`), name).Scan(&value); err != nil {
		return nil, err
	}
	if s.secrets == nil {
		s.secrets = map[string][]byte{}
	}
	s.secrets[name] = value
	return value, nil
}
