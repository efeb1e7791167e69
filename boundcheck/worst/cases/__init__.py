"""The answer to a question about a worst case: both sides, and what may be said of them.

Read `worst_case` first: it asks the sides, proves the upper one, runs the engine on the lower one, and `case` says
exact, proved, numerical, infinite or undecided.  `lower` and `expected` (noise, draws) look for functions.
"""
