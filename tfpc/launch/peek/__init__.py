"""`tfpc peek`: starts the program that looks at one batch, and shows what it tells."""
