package prompt

// Styles are all styles, which tests go through.
var Styles = []Style{DDL, Profile, Reference}
