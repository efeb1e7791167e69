"""The steps of FedLALR's proofs, a part of the paper a file."""

PARTS = (
    "basics",
    "moments",
    "sums",
    "terms",
    "squares",
    "drift",
    "rounds",
    "theorem",
    "repaired",
    "corollaries",
    "restart",
    "adaptive",
    "runs",
    "enumerated",
)
"""Files with claims, in the order of the paper."""
