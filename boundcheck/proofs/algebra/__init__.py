"""Exact algebra of whole proofs: quotients of polynomials, signs, sums of products, squares, sums over an index.

Numbers are those of `rationals`.  Read `factors`, `evaluate` (from trees to linear forms), `signs`
and `products` (why a polynomial is not negative), `semidefinite` (sums of squares), `sums` and `relation` (what a
premise says under a rule).  Nothing here knows of claims or of files.
"""
