package llmtest

import (
	"encoding/json"
	"net/http"
)

// serveVectors answers a request for embeddings, the last text's vector first.
func (s *Server) serveVectors(w http.ResponseWriter, r *http.Request, body []byte, end chan struct{}) {
	var q struct {
		Input []string `json:"input"`
	}
	s.mu.Lock()
	vector, late := s.vector, s.late
	s.mu.Unlock()
	if err := json.Unmarshal(body, &q); err != nil || vector == nil && !late {
		http.Error(w, "no embeddings here", http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.texts = append(s.texts, q.Input)
	s.mu.Unlock()
	if late {
		s.wait(r, Reply{Hang: true}, end)
		return
	}
	type item struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	data := []item{}
	for i := len(q.Input) - 1; i >= 0; i-- {
		v := vector(q.Input[i])
		if v == nil {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		data = append(data, item{i, v})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
}
