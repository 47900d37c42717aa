package translator

import "askpg/translator/grammar"

// What tests put in the place of the built-in engine.
type (
	Reading          = grammar.Interpretation
	Interpreter      = interpreter
	InterpretOptions = grammar.Options
)

// WithInterpreter replaces the built-in engine; nil takes it away.
func WithInterpreter(i Interpreter) Option { return func(t *Translator) { t.interpret = i } }
