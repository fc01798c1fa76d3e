"""What the machine that this process runs on has, and what of it may be used."""
