"""Measures tfpc against others: ratios of interleaved runs, never single times."""
