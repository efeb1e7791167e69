"""The papers' algorithms, a family a file; see `boundcheck.methods.base` for the contract."""

from __future__ import annotations

from boundcheck.methods.base import Card, Hyper, Method, Oracle
from boundcheck.registry import Registry

METHODS: Registry[type[Method]] = Registry(
    "method",
    {
        "fedavg": "boundcheck.methods.fedavg:FedAvg",
        "fedavg-m": "boundcheck.methods.fedavg:FedAvgM",
        "scaffold-m": "boundcheck.methods.scaffold:ScaffoldM",
        "fedlalr": "boundcheck.methods.fedlalr:FedLALR",
        "fmgda": "boundcheck.methods.minimax:FMGDA",
        "local-sgda": "boundcheck.methods.minimax:LocalSGDA",
    },
)
"""Every method by name."""

__all__ = ["METHODS", "Card", "Hyper", "Method", "Oracle"]
