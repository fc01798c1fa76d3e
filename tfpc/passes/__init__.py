"""What the compiler changes: one rewrite a file, each says what it did and why."""
