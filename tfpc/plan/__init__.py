"""The plan: what will be done, with types and facts after every step and layer."""
