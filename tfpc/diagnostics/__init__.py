"""Problems as values: where they stand, how they read, what fixes them."""
