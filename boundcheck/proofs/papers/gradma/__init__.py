"""The steps of GradMA's proofs, a part of the paper a file."""

PARTS = (
    "projection",
    "freeze",
    "basics",
    "cascade",
    "drift",
    "run",
    "descent",
    "gradient",
    "sampling",
    "theorem",
    "sharp",
)
"""Files with claims, in the order of the paper."""
