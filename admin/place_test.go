package admin_test

import (
	"strings"
	"testing"
)

// A place in a list that a URL makes up is the fault of the URL, not of the store.
func TestPages_NoPlace(t *testing.T) {
	b := newBrowser(t, serve(t, openStore(t), nil, nil))
	if status, body := b.get("/translations?before=x"); status != 400 || !strings.Contains(body, "first page") {
		t.Errorf("%d: %.300s", status, body)
	}
}
