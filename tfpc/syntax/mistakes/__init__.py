"""What people type instead of the language, one family of mistakes a file."""
