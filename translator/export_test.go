package translator

// What tests put in the place of the built-in grammar.
type (
	Reading          = reading
	Interpreter      = interpreter
	InterpretOptions = interpretOptions
)

// WithInterpreter replaces the built-in grammar; nil takes it away.
func WithInterpreter(i Interpreter) Option { return func(t *Translator) { t.interpret = i } }
