"""Theorems of rounds that a description states: smoothness, and one hypothesis for what the method does besides.

Read `description` (what is said of a round, and what is unknown), `search` (the unknowns, found and proved over Q) and
`rounds` (delayed SGD, decentralised SGD, EF21).
"""
