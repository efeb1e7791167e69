"""Theorems for all steps of a range, checked by exact arithmetic: plain Python, its standard library and `verify` only.

Read `lemma` (one inequality between quadratic forms whose coefficients are polynomials) and `theorem` (what lemmas a
theorem about all rounds needs, and how they are written from a description of the method).
"""
