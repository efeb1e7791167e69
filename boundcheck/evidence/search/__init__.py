"""The search for an instance on which a bound is false.

Read `refute`: it tries `instances` and extremal candidates within an `effort`, and every find is confirmed on the
question as stated.  `long_runs` decides horizons that no run reaches.  A bound goes in; a refutation or the nearest
approach comes out.
"""
