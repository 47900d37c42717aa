package proxy

import "sync"

// bufferSize is how much one read takes. PostgreSQL sends 8 KB at a time;
// twice as much lets one write carry two of them.
const bufferSize = 16 << 10

var buffers = sync.Pool{New: func() any {
	b := make([]byte, bufferSize)
	return &b
}}

func getBuffer() *[]byte  { return buffers.Get().(*[]byte) }
func putBuffer(b *[]byte) { buffers.Put(b) }
