package catalog_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The words that names in the generated warehouse are made of.
var (
	subjects = strings.Fields(`account agent asset audit batch benefit bill booking branch budget campaign carrier case channel claim
client consent contact container contract cost course crew currency customer damage deal delivery department deposit device discount
dispute document driver employee engine event expense facility fleet flight forecast fund gateway grade guest incident inspection
instrument inventory invoice item journey label lead lease ledger license loan location lot machine maintenance market material meeting
member merchant message meter milestone mission network note offer office order outlet owner package parcel part partner patient payment
payroll permit plan plant policy position premium price procedure product project promotion property provider purchase quality quota
quote rate receipt refund region rental repair report request reservation resource return reward risk role route salary sample schedule
seat sensor service session shelf shift shipment site skill station stock store student supplier survey task tax team tenant terminal
territory test ticket tool tour trade train training transfer treatment trip unit usage vehicle vendor visit voucher warehouse
warranty waste wire work zone`)
	parts    = strings.Fields(`header line detail history summary snapshot archive link type status balance attribute note allocation`)
	measures = strings.Fields(`amount quantity total price weight height width volume duration distance score rating balance discount tax
fee margin capacity share count limit level speed temperature pressure`)
	labels = strings.Fields(`name code title status category city country region comment brand colour grade segment channel language
currency reason method phase reference`)
	moments = strings.Fields(`created_at updated_at started_on ended_on due_date paid_on shipped_on valid_from valid_to closed_at`)
	domains = strings.Fields(`sales finance hr logistics care retail energy travel legal risk`)
	towns   = strings.Fields(`Berlin Paris Lisbon Madrid Vienna Warsaw Oslo Dublin Athens Prague Riga Tallinn Sofia Zagreb Bern Turin`)
)

// warehouse returns scripts, one a transaction, that create so many tables of
// about 20 columns in schemas of about 33, with .8 foreign keys and .2
// partitions a table, comments, a few rows in each and statistics.
func warehouse(tables int) []string {
	rnd := rand.New(rand.NewPCG(20, uint64(tables)))
	pick := func(words []string) string { return words[rnd.IntN(len(words))] }
	schemas := max(1, tables*3/100)
	var scripts []string
	for s := range schemas {
		schema := fmt.Sprintf("%s_%03d", domains[s%len(domains)], s)
		var b, fill strings.Builder
		fmt.Fprintf(&b, "create schema %s; grant usage on schema %s to public;\n", schema, schema)
		var made []string
		used := map[string]bool{}
		for t := tables * s / schemas; t < tables*(s+1)/schemas; t++ {
			name := pick(subjects) + "_" + pick(parts)
			for used[name] {
				name = pick(subjects) + "_" + pick(subjects) + "_" + pick(parts)
			}
			used[name] = true
			partitioned := t%50 == 0
			cols := []string{"id bigint not null"}
			values := []string{"i"}
			seen := map[string]bool{"id": true}
			add := func(name, typ, value string) bool {
				if seen[name] {
					return false
				}
				seen[name] = true
				cols, values = append(cols, name+" "+typ), append(values, value)
				return true
			}
			if len(made) > 0 && t%10 < 8 {
				parent := made[rnd.IntN(len(made))]
				add(parent+"_id", fmt.Sprintf("bigint references %s.%s", schema, parent), "i")
			}
			for len(cols) < 20 {
				subject := pick(subjects)
				switch rnd.IntN(4) {
				case 0:
					add(subject+"_"+pick(measures), "numeric(12,2)", "i * 1.5")
				case 1:
					add(pick(moments), "timestamptz", fmt.Sprintf("timestamptz '2025-01-01 00:00Z' + i * interval '%d hours'", 1+rnd.IntN(40)))
				case 2:
					town := rnd.IntN(len(towns) - 5)
					add(subject+"_"+pick(labels), "text", fmt.Sprintf("(array['%s'])[i %% 5 + 1]", strings.Join(towns[town:town+5], "','")))
				default:
					add(subject+"_"+pick(labels), "varchar(40)", fmt.Sprintf("'%s ' || i", subject))
				}
			}
			suffix := ", primary key (id))"
			if partitioned {
				suffix += " partition by hash (id)"
			} else {
				made = append(made, name)
			}
			fmt.Fprintf(&b, "create table %s.%s (%s%s;\n", schema, name, strings.Join(cols, ", "), suffix)
			if partitioned {
				for p := range 10 {
					fmt.Fprintf(&b, "create table %s.%s_p%d partition of %s.%s for values with (modulus 10, remainder %d);\n", schema, name, p, schema, name, p)
				}
			}
			fmt.Fprintf(&b, "grant select on %s.%s to public;\n", schema, name)
			if t%3 == 0 {
				fmt.Fprintf(&b, "comment on table %s.%s is 'the %s of each %s';\n", schema, name, pick(parts), pick(subjects))
				fmt.Fprintf(&b, "comment on column %s.%s.%s is 'number given by %s';\n", schema, name, "id", pick(subjects))
			}
			fmt.Fprintf(&fill, "insert into %s.%s select %s from generate_series(1, 30) i;\nanalyze %s.%s;\n",
				schema, name, strings.Join(values, ", "), schema, name)
		}
		scripts = append(scripts, b.String(), fill.String())
	}
	return scripts
}
