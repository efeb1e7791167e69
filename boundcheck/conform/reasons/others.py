"""Whether an implementation is another registered method: all of them are run on the same samples."""

from __future__ import annotations

import dataclasses
import itertools
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boundcheck.conform.reasons.asked import ExactDescent
from boundcheck.conform.runs.harness import method as built
from boundcheck.conform.runs.numbers import NUMBERS
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from boundcheck.conform.explaining import Explainer
    from boundcheck.methods import Method

_MOST = 24
"""Most choices of hyperparameters of one method."""
_PLAIN = ("fedavg", "sgd", "scaffold", "fedgate", "fedprox", "fedavg-server-m", "fedavg-m", "feddyn")
"""Methods that are asked first, as others are these while a part of them is off."""


def other_method(explainer: Explainer, *, quick: bool = False) -> tuple[str, ...]:
    """Return the sentence that names the first other method with the implementation's iterates, empty if none has.

    `quick` asks the commonest methods alone.
    """
    made = explainer.made
    for name in _names(made, quick=quick):
        for other in _candidates(name, made):
            # Some ask what the battery's problems do not say, such as values of single clients.
            with suppress(NotApplicableError):
                if explainer.has_iterates_of(other):
                    return (_sentence(name, other),)
    return ()


def _names(made: Method, *, quick: bool) -> Iterator[str]:
    listed = [*_PLAIN] if quick else [*METHODS, *METHODS.further]
    for name in dict.fromkeys([*_PLAIN, *listed]):
        card = METHODS[name].card
        if card.id != made.card.id and card.kind == made.card.kind and "layers" not in card.needs:
            yield name
    if made.card.kind != "minimax":
        yield "descent"


def _candidates(name: str, made: Method) -> Iterator[Method]:
    """Yield the method at the hyperparameters of ours: those of the same name first, then any that may be meant."""
    ours = {f.name: getattr(made, f.name) for f in dataclasses.fields(made)}  # type: ignore[arg-type]
    numbers = [value for value in ours.values() if isinstance(value, float)]
    if name == "descent":
        yield from (ExactDescent(gamma=value) for value in dict.fromkeys(numbers))
        return
    fields = [f for f in dataclasses.fields(METHODS[name]) if f.default is dataclasses.MISSING]  # type: ignore[arg-type]
    choices = [_choices(f.name, ours, numbers) for f in fields]
    optional = [f.name for f in dataclasses.fields(METHODS[name]) if f.default is not dataclasses.MISSING]  # type: ignore[arg-type]
    shared = {one: ours[one] for one in optional if isinstance(ours.get(one), float)}
    extra: list[dict[str, Any]] = [shared, {}] if shared else [{}]
    for values in itertools.islice(itertools.product(*choices), _MOST):
        for more in extra:
            given = {f.name: value for f, value in zip(fields, values, strict=True)}
            try:
                yield built(name, **given, **more)
            except BoundcheckError:
                continue


def _choices(name: str, ours: dict[str, Any], numbers: Sequence[float]) -> list[Any]:
    if name in ours:
        return [ours[name]]
    if name == "eta":
        return [ours.get("eta", ours.get("gamma", 0.1))]
    return list(dict.fromkeys([NUMBERS.get(name, 0.1), *(v for v in numbers if v != ours.get("eta")), 1.0]))[:6]


def _sentence(name: str, other: Method) -> str:
    fields = dataclasses.fields(other)  # type: ignore[arg-type]
    numbers = ", ".join(
        f"{f.name} = {getattr(other, f.name)}" for f in fields if isinstance(getattr(other, f.name), float)
    )
    where = f": conform --method {name}" if name in METHODS else ""
    return f"your iterates equal those of another method, {other.card.title} ({name}, {numbers}){where}"
