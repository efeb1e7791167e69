"""One theorem for all steps in a range, at one number of local steps K.

Read `family` (the conditions of one round as polynomials in the steps), then `theorem` (the search and what it finds)
and `text` (the theorem as a file that a checker without solvers reads).
"""
