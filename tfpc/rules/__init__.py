"""Mistakes that a plan shows: one a file, with its page, its examples and its check."""
