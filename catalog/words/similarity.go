package words

// Similarity is 1 less the edits between a and b per byte of the longer one; an
// edit inserts, deletes or replaces a byte or swaps two (optimal string
// alignment).
func Similarity(a, b string) float64 {
	longest := max(len(a), len(b))
	if longest == 0 || longest > 100 || 2*min(len(a), len(b)) < longest {
		return 0
	}
	var rows [3][101]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		two, one, row := &rows[(i+1)%3], &rows[(i+2)%3], &rows[i%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := one[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, one[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, two[j-2]+1)
			}
			row[j] = d
		}
	}
	return 1 - float64(rows[len(a)%3][len(b)])/float64(longest)
}
