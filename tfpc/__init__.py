"""tfpc: a declarative pipeline compiler for TensorFlow."""
