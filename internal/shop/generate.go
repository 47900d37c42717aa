package shop

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"
)

// The size of the shop. It has been open for lifeDays days.
const (
	seed          = 20
	lifeDays      = 1095
	customerCount = 3000
	orderCount    = 32000
	dormantShare  = 0.06 // customers who never order
)

// table is the content of a table in COPY's text format.
type table struct {
	name string
	rows bytes.Buffer
	n    int
}

// null stands for NULL in a row.
const null = `\N`

func (t *table) row(values ...any) {
	for i, v := range values {
		if i > 0 {
			t.rows.WriteByte('\t')
		}
		switch v := v.(type) {
		case time.Time:
			t.rows.WriteString(v.Format("2006-01-02 15:04:05"))
		case day:
			t.rows.WriteString(time.Time(v).Format("2006-01-02"))
		case cents:
			fmt.Fprintf(&t.rows, "%d.%02d", v/100, v%100)
		default:
			fmt.Fprint(&t.rows, v)
		}
	}
	t.rows.WriteByte('\n')
	t.n++
}

type (
	day   time.Time // written as a date
	cents int       // an amount of money
)

type generator struct {
	*rand.Rand
	now, today time.Time // today is midnight: what happened before does not depend on the time of day
	tables     []*table
	customers  []customer
	products   []product
	staff      [][]int     // ids by store
	buyers     map[int]int // of orders
	moved      map[int]int // buyers that take an order over
}

type customer struct {
	signedUp  time.Time
	addresses []int
}

type product struct {
	price   cents
	quality float64 // mean of its ratings
	added   time.Time
}

// generate returns the content of every table, in an order that the foreign
// keys allow. Chance may give two of the largest buyers as many orders as each
// other on some day; then an order or two goes to the one before, so that a question for
// the first few has one answer on any day.
func generate(now time.Time) []*table {
	moved := map[int]int{}
	for {
		g := &generator{
			Rand:  rand.New(rand.NewPCG(seed, seed)),
			now:   now,
			today: time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location()),
			moved: moved,
		}
		g.makeStores()
		g.makeProducts()
		g.makeCustomers()
		g.makeOrders()
		if !g.untie() {
			return g.tables
		}
	}
}

// clearPlaces is how many of the largest buyers differ in their orders.
const clearPlaces = 6

// untie moves orders of the buyer behind the first places to those that are
// level with the next, and says whether it had to.
func (g *generator) untie() bool {
	orders := make([][]int, len(g.customers)) // by buyer
	for id, buyer := range g.buyers {
		orders[buyer] = append(orders[buyer], id)
	}
	rank := make([]int, len(g.customers))
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int { return len(orders[b]) - len(orders[a]) })
	spare := orders[rank[2*clearPlaces]]
	tied := false
	count := len(orders[rank[clearPlaces]]) // of the place before, from the last on
	for place := clearPlaces - 1; place >= 0; place-- {
		n := len(orders[rank[place]])
		for ; n <= count; n++ {
			g.moved[spare[0]], spare = rank[place], spare[1:]
			tied = true
		}
		count = n
	}
	return tied
}

func (g *generator) table(name string) *table {
	t := &table{name: name}
	g.tables = append(g.tables, t)
	return t
}

func (g *generator) daysAgo(n int) time.Time { return g.today.AddDate(0, 0, -n) }

// between returns a number from a to b, both included.
func (g *generator) between(a, b int) int { return a + g.IntN(b-a+1) }

func pick[T any](g *generator, from []T) T { return from[g.IntN(len(from))] }

// weighted picks indexes by cumulative weights.
type weighted []float64

func newWeighted(weights []float64) weighted {
	sums := make(weighted, len(weights))
	var sum float64
	for i, w := range weights {
		sum += w
		sums[i] = sum
	}
	return sums
}

func (w weighted) pick(g *generator) int {
	x := g.Float64() * w[len(w)-1]
	return min(sort.SearchFloat64s(w, x), len(w)-1)
}

// skewed returns weights of which few are large, as of customers and products.
func (g *generator) skewed(n int, exponent float64) []float64 {
	weights := make([]float64, n)
	for i, rank := range g.Perm(n) {
		weights[i] = 1 / math.Pow(float64(rank+8), exponent)
	}
	return weights
}

func (g *generator) makeStores() {
	stores, staff := g.table("stores"), g.table("staff")
	names := g.people(germanFirst, countries[2].last)
	id := 0
	for i, where := range []int{0, 0, 2, 3, 4, 5, 6, 8} {
		c, store := countries[where], i+1
		city := c.cities[0]
		if i == 1 {
			city = c.cities[2]
		}
		stores.row(store, city+" Store", city, c.name, day(g.daysAgo(g.between(1200, 4500))))
		g.staff = append(g.staff, nil)
		manager := any(null)
		for j := range g.between(6, 9) {
			id++
			position, low, high := "sales assistant", 27, 38
			switch {
			case j == 0:
				position, low, high = "store manager", 52, 71
			case j == 1:
				position, low, high = "cashier", 25, 31
			case j == 2:
				position, low, high = "warehouse clerk", 26, 34
			}
			salary := cents(g.between(low*10, high*10)) * 10000
			staff.row(id, names[id], position, store, manager, day(g.daysAgo(g.between(60, 2600))), salary)
			if j == 0 {
				manager = id
			}
			g.staff[i] = append(g.staff[i], id)
		}
	}
}

func (g *generator) makeProducts() {
	suppliers, categories, products := g.table("suppliers"), g.table("categories"), g.table("products")
	for i, name := range supplierNames {
		suppliers.row(i+1, name, pick(g, countries).name)
	}
	parents := map[string]int{}
	for _, a := range aisles {
		if parents[a.parent] == 0 {
			parents[a.parent] = len(parents) + 1
			categories.row(parents[a.parent], a.parent, null)
		}
	}
	for i, a := range aisles {
		category := len(parents) + i + 1
		categories.row(category, a.name, parents[a.parent])
		for _, thing := range a.things {
			for k, line := range lines {
				price := cents(float64(thing.price)*(0.7+0.2*float64(k)+0.15*g.Float64()))*100 + 95
				p := product{price: price, quality: 2.9 + 1.9*g.Float64(), added: g.daysAgo(g.between(1100, 1500))}
				if g.Float64() < 0.2 {
					p.added = g.daysAgo(g.between(20, 900))
				}
				g.products = append(g.products, p)
				stock := g.between(0, 260)
				if g.Float64() < 0.06 {
					stock = 0
				}
				products.row(len(g.products), line+" "+thing.name, category, (i+k*6)%len(supplierNames)+1, price,
					cents(float64(price)*(0.45+0.2*g.Float64())), stock, fmt.Sprintf("%.2f", a.weight*(0.4+1.2*g.Float64())),
					g.Float64() < 0.05, day(p.added))
			}
		}
	}
}
