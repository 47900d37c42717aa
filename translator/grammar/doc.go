// Package grammar is the built-in engine: it turns a question in English into
// SQL from the catalog alone, without a model. Every word of content has to be
// accounted for by a reading, or the question is refused with the word named;
// what is left are the readings that cover all of it, cheapest first.
//
// It works as the literature on such engines describes: words are mapped to
// relations, columns and values (PRECISE, Popescu et al. 2003), sets are
// joined over the graph of foreign keys (ATHENA, Saha et al. 2016), readings
// are enumerated and ranked rather than guessed (NaLIR, Li and Jagadish 2014).
//
// # The path of a question
//
//  1. Interpret, in grammar.go, takes the question and returns its interpretations. A follow-up becomes a whole
//     question first: follow_up.go.
//  2. tokens.go cuts it into tokens. parser.go finds the words that carry structure; language.go holds what is known
//     of English, which language_data.go reads from english.toml.
//     phrasals.go puts one verb in the place of several words that mean the same.
//  3. mentions.go and name_match.go find the relations, columns and values that words may name. They look into the
//     lexicon of the snapshot: lexicon.go, names.go, display.go. tidy.go writes out what people type, money_written.go reads the marks of numbers, kin.go and derived.go link
//     words of one root or near in meaning, sorts.go words that say what a column is, earned.go words for what was sold. gauges.go names kinds of measurements like columns,
//     line_amounts.go what pieces times their prices come to, sold.go how many were sold, which sold best and for how much to whom. codes.go takes a text of letters and digits for a number of its form. hints.go reads definitions. abbreviations.go finds the names that words are cut
//     short in, spelling.go corrects words. errors.go refuses a question with an unknown word.
//  4. question.go reads the sentence, leads.go what stands before it, question_words.go the ways to ask, nouns.go its noun phrases: prefixes.go reads
//     what stands before a noun, adjacent.go and modifiers.go what stands behind it. verb_phrases.go, verbs.go and
//     verb_objects.go read verbs, have_phrases.go what things have, comparisons.go comparisons, dates.go times.
//     own_group.go compares with the average of the own group, birthdays.go reads days that come again.
//     last_events.go reads when and how often something was done, implied_amounts.go amounts that have no name, marks.go stars,
//     running.go running totals, two_counts.go two kinds of things that are counted each for itself, when_of.go which time "when" asks for, yes_no.go
//     flags of one thing, asked_whether.go what begins with a verb, each_with.go what is told of each kind of things, time_until.go how long something takes, course.go how long something lasts, lapsed.go and validity.go what is good until a day,
//     clock.go times of the day, possessed.go what a named thing has, more_of.go two numbers that are compared, same_as.go what two things
//     have in common, spread.go the highest less the lowest, so_far.go states between two others.
//     Each function returns every reading that begins at a token, with its end and its cost; choices.go
//     has the loops that they share. The readings are phrases and modifiers: logical_form.go.
//  5. apply.go says a modifier of a phrase, which makes a new phrase. relate.go, value.go, compare.go, group.go, order.go,
//     superlatives.go, times.go, states.go and denied.go do that for each kind, became.go says which time.
//     resolve.go finds the columns that words
//     stand for on a set of rows, graph.go the joins to other sets.
//  6. doubt.go refuses a phrase that would be a wrong answer, such as one that leaves words out (accounted.go) or
//     contradicts itself (impossible.go), joins for nothing (idle.go), shows something in the place of what is asked for
//     (instead.go), takes a word for what is called otherwise (mistaken.go, mistaken_names.go), or takes something for so without a proof (unproved.go, paid.go, not_yet.go).
//     now.go takes what is asked of now for what still goes on.
//  7. sql.go and select.go write the SQL. links.go lists the objects that it uses,
//     percent.go knows which columns hold 0.1 for ten percent.
//  8. Where nothing is left, errors.go makes the error, and suggest.go looks for the question near to this one that has
//     an answer: suggest_rephrased.go says it in other words, cuts.go what may be left out, what_to_ask.go writes the hint. apart.go
//     finds a question for each of two readings.
package grammar
