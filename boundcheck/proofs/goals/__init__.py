"""Statements as text, read into goals: what a line says decides which prover answers.

Read `stated` (a statement is its lines, its hypotheses and its letters), then `letters`, `reader` (expressions) and
`lines` (from a line to a goal).  Nothing here is imported until a goal is asked for.
"""
