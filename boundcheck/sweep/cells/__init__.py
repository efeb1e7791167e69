"""Cells: one setting of a recipe, what makes it the same cell again, and where its result is kept.

Read `cells` (how a recipe becomes cells), `identity` (what is hashed), `store` (one file a cell).
"""
