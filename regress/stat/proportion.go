package stat

import "math"

// z95 is the 97.5 % quantile of the normal distribution.
const z95 = 1.959963984540054

// Wilson is the 95 % score interval of passed out of n (E. B. Wilson, 1927).
// Without a trial there is none.
func Wilson(passed, n int) (low, high float64, ok bool) {
	if n <= 0 || passed < 0 || passed > n {
		return 0, 0, false
	}
	p, m := float64(passed)/float64(n), float64(n)
	mid := p + z95*z95/(2*m)
	half := z95 * math.Sqrt(p*(1-p)/m+z95*z95/(4*m*m))
	scale := 1 + z95*z95/m
	low, high = (mid-half)/scale, (mid+half)/scale
	if passed == 0 {
		low = 0 // rounding may leave a speck
	}
	if passed == n {
		high = 1
	}
	return low, high, true
}

// PassAt is pass@k: the chance that at least one of k trials passes, at the
// observed rate of passed out of n.
func PassAt(k, passed, n int) (p float64, ok bool) {
	if k < 1 || n <= 0 || passed < 0 || passed > n {
		return 0, false
	}
	return 1 - math.Pow(1-float64(passed)/float64(n), float64(k)), true
}

// PassAll is pass^k: the chance that all of k trials pass, at the observed rate
// of passed out of n.
func PassAll(k, passed, n int) (p float64, ok bool) {
	if k < 1 || n <= 0 || passed < 0 || passed > n {
		return 0, false
	}
	return math.Pow(float64(passed)/float64(n), float64(k)), true
}
