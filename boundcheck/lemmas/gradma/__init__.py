"""The steps of GradMA's proofs, a part of the paper a file."""

from boundcheck.lemmas.gradma import (
    basics,
    cascade,
    descent,
    drift,
    freeze,
    gradient,
    projection,
    run,
    sampling,
    sharp,
    theorem,
)

CLAIM_MODULES = (
    projection,
    freeze,
    basics,
    cascade,
    drift,
    run,
    descent,
    gradient,
    sampling,
    theorem,
    sharp,
)
"""Files with claims, in the order of the paper."""
