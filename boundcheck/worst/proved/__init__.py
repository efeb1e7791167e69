"""Certificates of worst cases: the upper side over the rationals, in words that a checker reads.

`upper` finds the rational proof, `words` spells hypotheses, `certificate` writes the whole.
"""
