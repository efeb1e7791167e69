"""A cell: everything that decides one run's numbers, and a name made from it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from boundcheck.errors import InputError, NotApplicableError, require
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import declared_kind
from boundcheck.notation import CHOICE, REAL
from boundcheck.problems import instance, load_problem
from boundcheck.problems.catalog import parse_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.engine.setting import Setting
    from boundcheck.methods.base import Method
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Problem
    from boundcheck.sweep.recipes.fields import Number

SCHEMA = 1
"""Raised when a change makes old result files mean something else."""


@dataclass(frozen=True)
class Cell:
    """One setting of one method on one problem, run for all replicates."""

    problem: str
    parameters: tuple[tuple[str, Number], ...]
    setting: Setting
    method: str
    hyper: tuple[tuple[str, Number], ...]
    metrics: tuple[Metric, ...]
    seed: int
    replicates: int
    points: int
    quantities: tuple[str, ...] = ()
    """What belongs to the run and is measured along it."""
    schedule: tuple[tuple[str, str], ...] = ()
    """Laws of the steps by round, see `boundcheck.methods.schedule`."""
    weight_decay: float = 0.0
    after: int = dataclasses.field(default=0, compare=False)
    """The first replicates, which a store has as a cell of their own: they are read, not run again."""

    @property
    def lanes(self) -> range:
        """Return the replicates that are to be run."""
        return range(self.after, self.replicates)

    @property
    def earlier(self) -> Cell:
        """Return the cell of the replicates that are not."""
        return dataclasses.replace(self, replicates=self.after, after=0)

    @cached_property
    def id(self) -> str:
        """Return the name of the cell: a hash of everything that decides its numbers."""
        # What the problem is counts, not what its file is called.
        content = self.content | {"schema": SCHEMA, "problem": _instance(self.problem)}
        for name in ("quantities", "schedule", "weight_decay"):
            # What a cell does not use is no part of its name, which stays when a further choice is added.
            if not content[name]:
                content.pop(name)
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:20]

    @property
    def content(self) -> dict[str, Any]:
        """Return everything that decides the cell's numbers as plain data, the letters of its setting side by side."""
        plain = {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in ("setting", "after")}
        return self.setting.letters | plain | {"metrics": [metric.label for metric in self.metrics]}

    def make_problem(self) -> Problem:
        """Return the problem of this cell."""
        return make_problem(self.problem, self.parameters, self.setting.N)

    def make_method(self) -> Method:
        """Return the method of this cell."""
        cls: Any = METHODS[self.method]
        return build_method(cls, self.hyper)


@cache
def make_problem(name: str, parameters: tuple[tuple[str, Number], ...], N: int) -> Problem:
    """Return a problem, made once a process."""
    return load_problem(name, N=N, **dict(parameters))


@cache
def _instance(name: str) -> dict[str, Any]:
    base, chosen = parse_name(name)
    found = instance(base)
    return {"family": found.family, "parameters": {**found.parameters, **chosen}}


def build_method(cls: type[Method], hyper: tuple[tuple[str, Number], ...]) -> Method:
    """Return the method with these hyperparameters.

    Raises
    ------
    NotApplicableError
        If the method has no hyperparameter of a name.
    InputError
        If a value is not legal, or a hyperparameter without a default is missing.
    """
    legal = {f.name: f for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    for name, value in hyper:
        if name not in legal:
            msg = f"method {cls.card.id} has no hyperparameter {name!r}; it has {', '.join(legal)}"
            raise NotApplicableError(msg)
        if value != legal[name].default:
            fits, words = _legal(legal[name])
            require(fits(value), f"{cls.card.id}: {name}", value, words)
    given = dict(hyper)
    missing = [name for name, f in legal.items() if f.default is dataclasses.MISSING and name not in given]
    if missing:
        msg = f"method {cls.card.id} needs {', '.join(missing)}; it has {', '.join(legal)}"
        raise InputError(msg)
    return cls(**given)


def _legal(field: dataclasses.Field[Any]) -> tuple[Callable[[object], bool], str]:
    """Return what a user may give for a hyperparameter: a test and its words."""
    kind = declared_kind(field) or REAL
    if kind is CHOICE:
        word = isinstance(field.default, str) or "str" in str(field.type)
        return (lambda v: isinstance(v, str), "a word") if word else (lambda v: isinstance(v, bool), "true or false")
    types: tuple[type, ...] = (int,) if kind.whole else (int, float)

    def fits(value: object) -> bool:
        number = isinstance(value, types) and not isinstance(value, bool)
        return number and math.isfinite(value) and kind.fits(value)  # type: ignore[arg-type]

    return fits, kind.legal
