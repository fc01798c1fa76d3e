"""The formatter: a spec's tokens, laid out anew. It has no options."""
