"""Quadratic forms with polynomial coefficients, shown to be sums of squares for all values of the letters in a box.

Read `polynomials`, then `coefficients` (Bernstein's form: a polynomial lies between its coefficients) and `programme`
(one semidefinite programme of many small blocks, and its exact check).
"""
