package eval

// place is where a database of a set was loaded.
type place struct {
	database string // on the server
	schema   string // that the gold SQL expects in the search path; "" for the usual one
}

// prefix keeps databases of the run apart from others on a server that stays.
func (o *Options) prefix(s *Set) string {
	if o.Server == "" && len(o.Sets) == 1 {
		return ""
	}
	return "eval_" + s.Name + "_"
}

// placeOf returns where the set's database db is.
func (s *Set) placeOf(o *Options, db string) place {
	if o.Warehouse {
		return place{database: "eval_warehouse", schema: s.Name + "_" + db}
	}
	return place{database: o.prefix(s) + db}
}

// places returns the databases on the server, each once.
func (s *Set) places(o *Options) []place {
	var places []place
	for _, db := range s.Databases {
		p := s.placeOf(o, db)
		if len(places) == 0 || places[len(places)-1].database != p.database {
			places = append(places, p)
		}
	}
	return places
}
