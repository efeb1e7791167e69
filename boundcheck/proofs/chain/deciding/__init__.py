"""Deciding a claim of a whole proof from its steps, or finding why it does not follow.

Read `prover`; `rules` and `laws` are what a step may use, `births` says which noise a vector depends on, `witness` and
`failing` look for values at which a claim fails.
"""
