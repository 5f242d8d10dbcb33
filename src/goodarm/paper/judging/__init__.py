"""Does the paper agree with us? Numbers, claims, and the intervals that decide."""
