"""Looking for a world in which a claim fails though all that its file declares holds.

Read `model` (a small world: numbers, vectors, a function, every entry computed from its equation), `everywhere` (leaves
about all points, decided exactly there) and `unrolled` (the search, and the exact check that alone may say *refuted*).
`witness` and `failing` find weaker points: values at which the steps hold and the claim fails; `missing` names a step
that would do.
"""
