package translator

// builtIn is the grammar that needs no model.
var builtIn Interpreter
