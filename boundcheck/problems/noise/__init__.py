"""Models of gradient noise with an exact variance.

Read `base` (the contract: exact gradients in, samples out, suprema of both) and `models` (all of them by name); each
other file is a model, with the random bits that it needs a coordinate.
"""
