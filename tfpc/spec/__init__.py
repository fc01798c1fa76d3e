"""The decoded spec: every word found, every argument of the right type."""
