"""The steps of FMGDA's proofs, a part of the paper a file."""

from boundcheck.lemmas.fmgda import (
    assumptions,
    basics,
    clients,
    conditions,
    corollary,
    dispersion,
    dual,
    estimator,
    rates,
    repaired,
    rounds,
    runs,
    theorem,
)

CLAIM_MODULES = (
    assumptions,
    basics,
    clients,
    dual,
    estimator,
    dispersion,
    theorem,
    conditions,
    rounds,
    corollary,
    repaired,
    rates,
    runs,
)
"""Files with claims, in the order of the paper."""
