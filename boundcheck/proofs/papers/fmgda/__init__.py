"""The steps of FMGDA's proofs, a part of the paper a file."""

PARTS = (
    "assumptions",
    "basics",
    "clients",
    "dual",
    "estimator",
    "dispersion",
    "theorem",
    "conditions",
    "rounds",
    "corollary",
    "repaired",
    "rates",
    "runs",
)
"""Files with claims, in the order of the paper."""
