"""Small changes in the lines of a method's own rule, for methods and mistakes that nobody has listed.

`building` reads the functions that a registered method is made of and makes a method of a changed one; `grammar` says
what may stand in the place of an expression; `search` looks for the change that has an implementation's iterates, and
for the number in it; `opening` opens all coefficients of the rule at once, and `coefficients` solves for a few of them;
`wording` says it in the letters of the rule.
"""

from __future__ import annotations

from boundcheck.conform.variants.coefficients import find_coefficient, find_coefficients, telling_coefficients
from boundcheck.conform.variants.search import find_bounds, find_numbers, find_variants, planted_slips
from boundcheck.conform.variants.wording import sentence

__all__ = [
    "find_bounds",
    "find_coefficient",
    "find_coefficients",
    "find_numbers",
    "find_variants",
    "planted_slips",
    "sentence",
    "telling_coefficients",
]
