"""One theorem for all steps in a range, at one number of local steps K.

After `family` above (the conditions of one round as polynomials in the steps) read `theorem` (the search and what it
finds) and `text` (the theorem as a file that a checker without solvers reads).
"""
