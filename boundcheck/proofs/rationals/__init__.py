"""Rational functions of the letters of a proof in lowest terms: the numbers of which forms have their coefficients.

`narrow` puts polynomials into rings of the letters that occur in them; `quotients` is the field.  `language` reads
texts into these numbers, `algebra` reckons with them.
"""
