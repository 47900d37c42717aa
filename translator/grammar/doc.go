// Package grammar is the built-in engine: it turns a question in English into SQL from the catalog alone, without a model. Every content
// word of the question has to be accounted for by a reading, or the question is refused and the word is named. Of the readings that
// account for all words, the cheapest come first.
//
// It works as the literature on such engines describes: words are linked to relations, columns and values (PRECISE, Popescu et al. 2003),
// sets are joined over the graph of foreign keys (ATHENA, Saha et al. 2016), readings are enumerated and ranked rather than guessed
// (NaLIR, Li and Jagadish 2014).
//
// # The steps
//
// Files of one step share a prefix.
//
//	follow_up_  a follow-up ("and by month?") becomes a whole question first: follow_up.go
//	token_      the question is cut into tokens: token.go. token_tidy.go and token_phrasals.go put usual words in the place of unusual
//	            ones, token_tags.go finds phrases of the language such as "how many", token_spelling.go corrects misspelled words
//	mention_    schema linking: which relations, columns and values each span of tokens may name. mention.go has the order of the passes
//	read_       the sentence is read by recursive descent with all alternatives. It begins in read_question.go
//	apply_      a modifier is applied to a phrase, which makes a new phrase: apply.go
//	resolve_    the columns that an attribute may be on a set, and the joins to them: resolve.go, resolve_place.go
//	refuse_     the checks that refuse a reading: refuse.go has their order
//	sql_        a phrase is written as SQL: sql.go, sql_select.go. sql_links.go lists the objects that it uses
//	reword_     where nothing is left, the words are read in another order that means the same: reword.go. What is said in two sentences,
//	            "some guests never paid. Who are they?", is said in one: reword_premise.go
//	suggest_    where that has no answer either: the error, and a question near to this one that has an answer: suggest_errors.go, suggest.go
//
// grammar.go has the entrance, Interpret, and goes through these steps; parser.go has the state of one question. logical_form.go has the
// types that the steps from reading to SQL work on: set, condition, item, phrase, modifier. examples.go makes example questions.
//
// Two things are made before any question:
//
//	language_   what is known of English, read from english.toml: language.go, language_data.go, language_roots.go
//	lexicon_    what a snapshot of the catalog adds: the names of its relations, columns and values, display columns, the graph of joins
//
// # One question: "how many orders last month"
//
//  1. scan in token.go makes five tokens. tag in token_tags.go tags "how many" as count.
//  2. annotateNames in mention_names.go finds that "orders" may name the relation orders: a relationMention.
//  3. statement in read_question.go tries every construction. numberOf in read_prefixes.go takes "how many", and noun in read_nouns.go
//     takes "orders": a phrase whose set is the orders and whose only item is a count.
//  4. extend in read_nouns.go looks for modifiers behind the noun. inTime in read_modifiers.go finds one: lastUnits in
//     read_dates_relative.go reads "last month" as a dateRange.
//  5. apply in apply.go calls applyDate in apply_times.go. It chooses the column that dates of orders are about, and narrows the set by
//     a condition on it. Each column that may be meant makes a reading of its own, with a cost.
//  6. interpretations in grammar.go goes through the readings. refusal in refuse.go refuses those that are no answer, such as one that
//     leaves out "last month" (refuseTimeLeftOut). The rest are scored by their costs.
//  7. render in sql.go and selectSQL in sql_select.go write "SELECT count(*) FROM orders WHERE …".
//
// # Terms
//
//   - A span is a run of tokens. A mention is what a span may name: relationMention, attribute (a column), valueMention.
//   - A candidate is a reading of a span, with its end and its cost. A reading is a phrase with a cost. A cost says how far-fetched
//     something is: 0 is the most natural. A score says how well words match a name: 1 is word for word.
//   - A head is the noun that a phrase is about. A key is what an answer is grouped by ("per customer"), unless it is a foreign key.
//   - A filler is a word that adds nothing ("please"). What a word negates is negated; what the role may not read is forbidden.
//   - An event is what happened to things at a time, recorded by rows ("orders") or by a time of the row ("shipped_at"). A state is what a
//     row is now: by a flag, a status, or a time that is still null.
//   - A mark is a column that says that a row is deleted or does not count. Rows that are marked are left out unless the question
//     speaks of them.
//   - A measure and a term are definitions of an admin, or of the hint of one question.
//
// # Names
//
// What reads a construction from a token on is called by the construction (comparative, relativeClause). Those that begin with apply
// apply the modifier of that kind. Those that begin with refuse return why a reading is refused, "" if it is not. Those that begin with
// mentions or asks say what the question has. Those that begin with annotate find mentions.
//
// Short names stand for the same things everywhere: p is the parser, x the lexicon, l the language, b the builder of SQL, n a phrase, s a
// set, r a relation, c a column or a condition, m a modifier, a an attribute, i and j tokens by their number.
package grammar
