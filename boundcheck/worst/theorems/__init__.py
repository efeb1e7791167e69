"""Theorems of one round, found by a programme and proved over the rationals.

Read `one_round` and `generic`, then `lmi` (the matrix inequality), `proof` (its rational certificate) and `sharpened`
(the theorem as a bound).  `family` is a method whose steps are letters: `all_steps` and `all_k` start from it.
"""
