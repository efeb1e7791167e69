"""The steps of Momentum-FL's proofs, a part of the paper a file."""

from boundcheck.lemmas.momentum_fl import (
    basics,
    comparisons,
    control,
    control_vr,
    drift,
    drift_vr,
    estimator,
    estimator_vr,
    facts,
    rates,
    rounds,
    rounds_sampled,
    sampled,
    shrink,
    stale,
    theorem,
)

CLAIM_MODULES = (
    basics,
    estimator,
    estimator_vr,
    drift,
    drift_vr,
    sampled,
    control,
    stale,
    control_vr,
    rounds,
    rounds_sampled,
    theorem,
    rates,
    comparisons,
    facts,
    shrink,
)
"""Files with claims, in the order of the paper."""
