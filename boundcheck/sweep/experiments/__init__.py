"""Experiments: methods tuned at equal budgets, and the readouts that compare them."""
