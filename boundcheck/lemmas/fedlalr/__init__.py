"""The steps of FedLALR's proofs, a part of the paper a file."""

from boundcheck.lemmas.fedlalr import (
    adaptive,
    basics,
    corollaries,
    drift,
    enumerated,
    moments,
    repaired,
    restart,
    rounds,
    runs,
    squares,
    sums,
    terms,
    theorem,
)

CLAIM_MODULES = (
    basics,
    moments,
    sums,
    terms,
    squares,
    drift,
    rounds,
    theorem,
    repaired,
    corollaries,
    restart,
    adaptive,
    runs,
    enumerated,
)
"""Files with claims, in the order of the paper."""
