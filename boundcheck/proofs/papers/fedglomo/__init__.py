"""The steps of FedGLOMO's proofs, a part of the paper a file."""

PARTS = (
    "basics",
    "local",
    "energy",
    "drift",
    "paths",
    "server",
    "variance",
    "one_round",
    "theorem",
    "start",
    "conditions",
    "order",
    "appendix",
    "fedlomo",
    "fedlomo_theorem",
    "fedavg_local",
    "fedavg",
    "fedavg_theorem",
    "search",
)
"""Files with claims, in the order of the paper."""
