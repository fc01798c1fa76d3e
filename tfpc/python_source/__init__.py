"""What can be learnt of a user's Python without running it: it is read, never imported."""
