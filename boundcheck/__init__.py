"""Decide whether a published convergence theorem holds, and how loose it is.

Give it a theorem, the method the theorem is about and problems whose constants are known exactly; it answers
with a verdict that has an error rate.  The public names below are imported on first use, so that
``import boundcheck`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from boundcheck.files import moved

if TYPE_CHECKING:
    from boundcheck.bounds import BOUNDS
    from boundcheck.engine import Run
    from boundcheck.engine.simulate import simulate
    from boundcheck.errors import BoundcheckError, InputError
    from boundcheck.evidence import Verdict
    from boundcheck.evidence.checks.check import check
    from boundcheck.methods import METHODS
    from boundcheck.problems import Problem, load_problem
    from boundcheck.problems.certification.certify import certify
    from boundcheck.proofs import CLAIMS, prove
    from boundcheck.reviews import review

__version__ = "0.1.0"

moved.install()

_HOMES = {
    "BOUNDS": "bounds",
    "BoundcheckError": "errors",
    "CLAIMS": "proofs",
    "InputError": "errors",
    "METHODS": "methods",
    "Problem": "problems",
    "Run": "engine",
    "Verdict": "evidence",
    "certify": "problems",
    "check": "evidence",
    "load_problem": "problems",
    "prove": "proofs",
    "review": "reviews",
    "simulate": "engine",
}

__all__ = [
    "BOUNDS",
    "CLAIMS",
    "METHODS",
    "BoundcheckError",
    "InputError",
    "Problem",
    "Run",
    "Verdict",
    "__version__",
    "certify",
    "check",
    "load_problem",
    "prove",
    "review",
    "simulate",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(importlib.import_module(f"boundcheck.{_HOMES[name]}"), name)
    msg = f"module 'boundcheck' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return __all__
