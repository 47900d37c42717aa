package grammar

// Number reads a number in digits or English words, such as "twelve", "5
// million" or "$50", and returns its digits.
func Number(words string) (digits string, ok bool) {
	p := &parser{language: loadEnglish(), tokens: scan(words)}
	digits, end := p.number(0)
	return digits, end > 0 && end == len(p.tokens)
}
