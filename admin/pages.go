package admin

import "net/http"

func (s *Server) pages(mux *http.ServeMux) {}

type signInPage struct {
	To     string
	Failed bool
}

func (s *Server) render(w http.ResponseWriter, r *http.Request, name string, data any) {}

func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
