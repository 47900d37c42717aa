package proxy

import "github.com/jackc/pgproto3/v2"

// encode appends messages to b.
func encode(b []byte, messages ...pgproto3.Message) []byte {
	for _, m := range messages {
		var err error
		if b, err = m.Encode(b); err != nil {
			panic(err) // only messages above 1 GB
		}
	}
	return b
}
