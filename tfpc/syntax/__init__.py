"""From text to a tree of nodes; syntax errors as sentences."""
