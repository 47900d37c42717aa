package admin

// Routes returns all addresses that the server answers.
func (s *Server) Routes() (patterns []string) {
	for _, r := range s.routes() {
		patterns = append(patterns, r.pattern)
	}
	return patterns
}
