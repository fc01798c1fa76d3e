"""What this machine has for training, each finding with what mends it."""
