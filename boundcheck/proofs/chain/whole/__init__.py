"""Proofs of registered bounds, from assumptions to the right-hand side that is measured.

Read `proof` (the list), `theorem` (the last claim, made from the bound), `assembly` and `certificate` (as data),
`slack`.
"""
