"""From a program to a run: its folder, its process, what it tells, how it ended."""
