"""The words of the language: one class a word, one file a family of words."""
