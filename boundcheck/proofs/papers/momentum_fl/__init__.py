"""The steps of Momentum-FL's proofs, a part of the paper a file."""

PARTS = (
    "basics",
    "estimator",
    "estimator_vr",
    "drift",
    "drift_vr",
    "sampled",
    "control",
    "stale",
    "control_vr",
    "rounds",
    "rounds_sampled",
    "theorem",
    "rates",
    "comparisons",
    "facts",
    "shrink",
)
"""Files with claims, in the order of the paper."""
