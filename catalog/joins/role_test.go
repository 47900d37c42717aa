package joins_test

import (
	"strings"
	"testing"

	"askpg/catalog/joins"
	"askpg/catalog/schema"
)

// Two columns join their relations over a third only if they refer to it in
// the same role.
func TestRole(t *testing.T) {
	key := func(from, to string) *schema.ForeignKey {
		column := func(name string, others ...string) *schema.Column {
			relation, col, _ := strings.Cut(name, ".")
			r := &schema.Relation{Name: schema.Name{Schema: "public", Name: relation}}
			for _, n := range append([]string{col}, others...) {
				r.Columns = append(r.Columns, &schema.Column{Relation: r, Name: n})
			}
			return r.Columns[0]
		}
		var others []string
		if strings.HasPrefix(from, "sbdailyprice.") {
			others = []string{"sbdpdate"}
		}
		a, b := column(from, others...), column(to)
		return &schema.ForeignKey{From: a.Relation, To: b.Relation, FromCols: []*schema.Column{a}, ToCols: []*schema.Column{b}}
	}
	for _, c := range []struct {
		a, b, to string
		same     bool
	}{
		{"orders.customer_id", "refunds.cust_no", "customers.id", true},
		{"orders.billing_customer_id", "refunds.customer_id", "customers.id", false},
		{"orders.billing_customer_id", "invoices.billing_customer", "customers.id", true},
		{"accounts.owner_id", "ticket_replies.employee_id", "employees.id", false},
		{"accounts.owner_id", "deals.owner_id", "employees.id", true},
		{"river.traverse", "city.state_name", "state.state_name", false},
		{"lake.state_name", "city.state_name", "state.state_name", true},
		{"ordhdr.cust_no", "invhdr.cust_no", "cusmst.cust_no", true},
		{"sbdailyprice.sbdptickerid", "watch.tickerid", "sbticker.sbtickerid", true},
	} {
		if same := joins.Role(key(c.a, c.to)) == joins.Role(key(c.b, c.to)); same != c.same {
			t.Errorf("%s and %s refer to %s in the same role: %v, want %v", c.a, c.b, c.to, same, c.same)
		}
	}
}
