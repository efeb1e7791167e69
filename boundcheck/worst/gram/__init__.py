"""A method's own code run on Gram coordinates: points and gradients as combinations of a few vectors.

Read `trace` (one run, recorded), `oracle` (what the method sees), `vectors` and `exact`; `units` and `rationals` keep
numbers exact.  A method goes in; the linear maps of its rounds come out.
"""
