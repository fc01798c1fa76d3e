"""What flows through a plan: tensors, elements, facts, values, pieces of program text."""
