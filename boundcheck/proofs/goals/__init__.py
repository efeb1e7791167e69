"""From a statement that stands alone to a goal: what it says decides which prover answers.

Read `letters` (what names stand for), `reader` (from trees to numbers) and `lines` (from a line to a goal).  Nothing
here is imported until a goal is asked for: listing claims loads no solver.
"""
