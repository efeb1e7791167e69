"""The hyperparameters that an implementation is compared at: numbers at which every term counts."""

from __future__ import annotations

import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

from boundcheck.conform.runs.harness import method as built
from boundcheck.errors import require
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boundcheck.methods import Method

NUMBERS: dict[str, float] = {
    "gamma": 0.4,
    "beta": 0.3,
    "rho": 0.9,
    "alpha": 0.9,
    "eta_y": 0.2,
    "tau": 0.3,
    "eps": 0.3,
    "eta_pd": 0.8,
    "a": 0.3,
    "c1": 0.9,
    "c_y": 0.17,
    "c_dual": 0.15,
    "by": 0.17,
    "h": 1.1,
    "t_flat": 4.0,
    "beta_mem": 0.5,
    "p": 0.4,
    "w": 2.0,
    "m": 2.5,
    "mu": 0.6,
    "damping": 0.6,
    "b0": 1.4,
    "lam1": 0.8,
    "lam2": 0.6,
    "lam3": 0.5,
    "growth": 0.15,
    "c": 0.13,
    "rounds": 2,
}
"""What a hyperparameter is that must be chosen: no 0, no 1, no two alike in a method; 0.1 for all others."""
_OF_METHOD = {("clipped-sgd", "clip"): 1.2, ("dp-fedavg", "clip"): 0.3}
"""Likewise where it has to be another one in a method: a bound that some steps reach and others do not."""
_COUNTS = {"fewest": 1}
"""Counts that are left out by default, likewise."""
_COINS = frozenset({"skip", "p"})
"""Probabilities of coins of the method itself."""
_HANDED = ("K", "T", "active", "coins", "K_i")
"""What a function may take beside hyperparameters."""


def make_method(name: str, function: Callable[..., Any], hyper: Mapping[str, Any]) -> Method:
    """Return the registered method that a function is compared with.

    A hyperparameter of the user's is as given.  One without a default has a number of `NUMBERS`, and so has one that
    the function names and whose default is 0 or 1, at which nothing of it would be asked.

    Raises
    ------
    InputError
        If a given hyperparameter is none of the method's.
    """
    cls: Any = METHODS[name]
    fields = {f.name: f for f in dataclasses.fields(cls)}
    for given in hyper:
        require(given in fields, f"{name}: hyperparameter", given, f"one of {', '.join(fields)}")
    required = {
        n: _OF_METHOD.get((name, n), NUMBERS.get(n, 0.1)) for n, f in fields.items() if f.default is dataclasses.MISSING
    }
    parameters = inspect.signature(function).parameters
    handed = "coins" in parameters
    named = {n: _COUNTS.get(n, NUMBERS.get(n, 0.4)) for n in parameters if _is_neutral(n, fields.get(n), handed=handed)}
    return built(name, **{**required, **named, **hyper})


def _is_neutral(name: str, field: Any, *, handed: bool) -> bool:
    """Return whether nothing is asked of a hyperparameter at its default; coins count where they are handed out."""
    if field is None or (name in _COINS and not handed):
        return False
    return name in _COUNTS or (isinstance(field.default, float) and field.default in {0.0, 1.0})


def select_accepted(function: Callable[..., Any], numbers: dict[str, Any], hyper: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hyperparameters that the function takes.

    Raises
    ------
    InputError
        If it asks for others, or does not take one that the user gives.
    """
    parameters = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return numbers
    unknown = [
        name
        for name, p in parameters.items()
        if p.kind is p.KEYWORD_ONLY and p.default is p.empty and name not in {*numbers, *_HANDED}
    ]
    require(not unknown, "function: parameters", unknown, f"K, T, active and hyperparameters {', '.join(numbers)}")
    missed = [name for name in hyper if name not in parameters]
    require(not missed, "function: hyperparameters not taken", missed, "parameters of the function, or **hyper")
    return {name: value for name, value in numbers.items() if name in parameters}
