"""Names, units, expressions, `--set`: from syntax to values that know their origin."""
