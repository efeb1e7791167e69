"""Decide whether a published convergence theorem holds, and how loose it is.

Give it a theorem, the method the theorem is about and problems whose constants are known exactly; it answers
with a verdict that has an error rate.  The public names below are imported on first use, so that
``import boundcheck`` costs nothing.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from boundcheck.files import moved
from boundcheck.version import __version__ as __version__

if TYPE_CHECKING:
    from boundcheck.api.classes import sharpen, worst
    from boundcheck.api.methods import certify, compare, conform, satisfies, simulate
    from boundcheck.api.outputs import new, report, sweep
    from boundcheck.api.proofs import decide, prove
    from boundcheck.api.rates import rate
    from boundcheck.api.theorems import bounds, check, plot, refute, review, steps, tightness
    from boundcheck.api.words import explain, findings, table
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.cards.looking import list_, show
    from boundcheck.engine import Run
    from boundcheck.errors import BoundcheckError, InputError
    from boundcheck.evidence import Verdict
    from boundcheck.methods import METHODS
    from boundcheck.problems import Problem, load_problem
    from boundcheck.proofs import CLAIMS

moved.install()

_HOMES = {
    "BOUNDS": "bounds",
    "CLAIMS": "proofs",
    "METHODS": "methods",
    "BoundcheckError": "errors",
    "InputError": "errors",
    "Problem": "problems",
    "Run": "engine",
    "Verdict": "evidence",
    "bounds": "api.theorems",
    "certify": "api.methods",
    "check": "api.theorems",
    "compare": "api.methods",
    "conform": "api.methods",
    "decide": "api.proofs",
    "explain": "api.words",
    "findings": "api.words",
    "list_": "cli.cards.looking",
    "load_problem": "problems",
    "new": "api.outputs",
    "plot": "api.theorems",
    "prove": "api.proofs",
    "rate": "api.rates",
    "refute": "api.theorems",
    "report": "api.outputs",
    "review": "api.theorems",
    "satisfies": "api.methods",
    "sharpen": "api.classes",
    "show": "cli.cards.looking",
    "simulate": "api.methods",
    "steps": "api.theorems",
    "sweep": "api.outputs",
    "table": "api.words",
    "tightness": "api.theorems",
    "worst": "api.classes",
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
    "bounds",
    "certify",
    "check",
    "compare",
    "conform",
    "decide",
    "explain",
    "findings",
    "list_",
    "load_problem",
    "new",
    "plot",
    "prove",
    "rate",
    "refute",
    "report",
    "review",
    "satisfies",
    "sharpen",
    "show",
    "simulate",
    "steps",
    "sweep",
    "table",
    "tightness",
    "worst",
]


_ROOMS = {"bounds", "conform", "findings", "report", "sweep", "worst"}
"""Functions that share their name with a package."""


class _Room(ModuleType):
    """A package that shares its name with a function of `boundcheck`, and is that function when it is called.

    ``import boundcheck.worst`` puts the package in the place of what ``boundcheck.worst`` was: so it is that always.
    """

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return _function(self.__name__.rpartition(".")[2])(*arguments, **options)

    @property
    def __wrapped__(self) -> Any:
        """The function, whose signature is shown."""
        return _function(self.__name__.rpartition(".")[2])


class _Package(ModuleType):
    """`boundcheck` itself: a package that shares its name with a function is callable from its import on."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and name in _ROOMS:
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def _function(name: str) -> Any:
    return getattr(importlib.import_module(f"boundcheck.{_HOMES[name]}"), name)


def __getattr__(name: str) -> object:
    if name in _ROOMS:
        return importlib.import_module(f"boundcheck.{name}")
    if name in _HOMES:
        return _function(name)
    msg = f"module 'boundcheck' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return __all__
