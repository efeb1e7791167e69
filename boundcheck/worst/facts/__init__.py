"""What is true of every problem in a class, as rows between points.

Read `classes` and `conditions` (which inequalities interpolate a class), then `forms`; `natural` chooses units,
`measures` the left-hand side, `participation` and `orbits` use symmetry.
"""
