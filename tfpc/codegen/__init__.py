"""From a plan to the text of a program: the only generator."""
