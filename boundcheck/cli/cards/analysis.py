"""What a bound says at an example: what dominates, from when on, at what cost, with which steps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boundcheck.cli.terminal.output import number
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.files.own import is_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sympy import Expr

    from boundcheck.bounds import Bound
    from boundcheck.bounds.rate import Rate
    from boundcheck.methods import Card

K, T = 4, 10**4
"""Local steps and rounds of the example."""
ACCURACY = 0.1
"""Gradient norm of the example, as a share of the largest that the trivial bound allows."""


def example(bound: Bound, N: int) -> tuple[str, dict[str, float]]:
    """Return where a bound's example is, and the values of its letters there."""
    from boundcheck.evidence.trials.examples import example_of, initial_values, size_within
    from boundcheck.problems import load_problem

    size = size_within(bound, example_of(bound), N, K)
    problem = load_problem(example_of(bound), N=size.N)
    constants = problem.values_for(bound.needs) | initial_values(bound, size.N)
    where = f"{problem.name}, {size}, T = {T}"
    return where, constants | {**size._asdict(), "T": T, "b": 1, "d": problem.d}


def analysis_entries(bound: Bound, N: int) -> dict[str, Any]:
    """Return the entries of a card that are computed from the terms of a bound."""
    where, values = example(bound, N)
    if any(name in bound.derived for name in map(str, bound.total.free_symbols)) and is_reference(bound.id):
        # A loop of the user's own over 10^15 rounds would not end.
        return {"example": where, "dominates there": "not looked for: it sums over its schedule"}
    return {
        "example": where,
        "dominates there": _entry_or_reason(lambda: dominance(bound, values)),
        "leading part is all from T": _entry_or_reason(lambda: threshold_lines(bound, values)),
        "cost of |grad| <= ε_acc": _entry_or_reason(lambda: costs(bound)),
        "rounds there": _entry_or_reason(lambda: rounds(bound, values)),
        "moves with a letter": _entry_or_reason(lambda: moves(bound)),
        "best steps there": _entry_or_reason(lambda: steps(bound, values)),
    }


def _entry_or_reason(entry: Callable[[], Any]) -> Any:
    """Return an entry, or why there is none."""
    try:
        return entry()
    except BoundcheckError as error:
        return str(error)
    except ArithmeticError as error:
        return f"not defined there: {error}"


def dominance(bound: Bound, values: Mapping[str, float]) -> list[str]:
    """Return which term dominates at T = 1, and where in T, N and K another one takes over."""
    from boundcheck.bounds.analysis import crossovers, dominating, max_horizon

    longest = max_horizon(bound, values)
    lines = [f"T = 1: {dominating(bound, values, 'T', [1.0])[0]}"]
    for letter, high in (("T", longest), ("N", 1e4), ("K", 1e3)):
        at = {**values, "T": min(T, longest)}
        lines += [f"from {letter} = {number(c.at)}: {c.after}" for c in crossovers(bound, at, letter, 1.0, high)]
    return lines


def threshold_lines(bound: Bound, values: Mapping[str, float]) -> list[str]:
    """Return the horizons after which the leading part is what the bound amounts to, in numbers and in powers."""
    from boundcheck.bounds.analysis import speed_up, thresholds

    resolved = bound.resolve(values)
    out = []
    for t in thresholds(bound):
        powers = " ".join(f"{letter}^({p})" for letter, p in t.powers.items() if p)
        kind = {"branch": "cap in ", "until": "until "}.get(t.kind, "")
        grows = f", grows like {powers}" if powers else ""
        out.append(f"{kind}{t.where}: {_value(t.value, resolved)}{grows}")
    for letter in ("N", "S", "K"):
        try:
            found = speed_up(bound, letter)
        except NotApplicableError:
            continue
        out.append(f"speed-up {letter}^({found.power}): from T = {_value(found.holds_from, resolved)}")
    return out


def _value(horizon: Callable[[Mapping[str, float]], float], values: Mapping[str, float]) -> str:
    """Return a horizon as text; one that divides by zero, such as by N - S where all take part, is not defined."""
    import numpy as np

    try:
        with np.errstate(divide="raise", invalid="raise"):
            return number(horizon(values))
    except ArithmeticError:
        return "not defined there (division by zero)"


def costs(statement: Bound | Rate) -> dict[str, Expr | str]:
    """Return rounds, gradients and floats in formulas; the floats of a round are those of the method's card."""
    from boundcheck.bounds.complexity import complexity, rounds_at_any_K
    from boundcheck.methods import METHODS
    from boundcheck.notation import symbol

    card = METHODS[statement.method].card if statement.method else None
    choices = getattr(statement, "choices", {})
    sent = sum(floats(text, choices) for text in (card.up, card.down)) if card else None
    found = complexity(
        statement,
        gradients=gradients(card)[0] if card else symbol("K"),
        floats=None if sent is None else sent * symbol("d"),
    )
    full = f" (and {gradients(card)[1]} full ones a round)" if card and gradients(card)[1] else ""
    free = rounds_at_any_K(statement)
    return {
        "rounds": found.rounds,
        f"gradients of all clients{full}": found.gradients,
        **({"floats": found.floats} if found.floats is not None else {}),
        "powers of 1/ε_acc": ", ".join(f"{name} {p}" for name, p in found.powers().items()),
        **({"rounds at any K": f"ε_acc^(-{free})"} if free is not None else {}),
    }


def gradients(card: Card) -> tuple[Expr, Expr]:
    """Return the sampled gradients of an active client and round that a card states, and the full ones.

    Raises
    ------
    NotApplicableError
        If the card states them in words.
    """
    import sympy

    from boundcheck.notation import symbol

    letters = {"K": symbol("K"), "d": symbol("d"), "M": sympy.Integer(1)}
    counts: dict[bool, Expr] = {False: sympy.Integer(0), True: sympy.Integer(0)}
    for part in re.sub(r" \(.*\)$", "", card.gradients).split(" + "):
        number = part.replace("full", "").strip()
        try:
            counts["full" in part] += sympy.sympify(re.sub(r"(?<=[\d)])(?=[K(])", "*", number), locals=letters)
        except (sympy.SympifyError, TypeError) as error:
            msg = f"method {card.id}: its card counts gradients in words, {card.gradients!r}"
            raise NotApplicableError(msg) from error
    return counts[False], counts[True]


def floats(stated: str, choices: Mapping[str, object]) -> int:
    """Return the floats of a card, in units of d: "3 (2 with restart)" is 2 for a bound that restarts."""
    for option, value in choices.items():
        found = re.search(rf"(\d+) with {option}\b", stated)
        if found and value:
            return int(found[1])
    return int(stated.split()[0])


def rounds(bound: Bound, values: Mapping[str, float]) -> str:
    """Return the rounds that the bound itself needs for an accuracy."""
    from boundcheck.bounds.complexity import rounds_to

    accuracy = ACCURACY * float(bound.evaluate(bound.resolve(values), strict=False).trivial) ** 0.5
    found = rounds_to(bound, values, accuracy)
    return f"|grad| <= {number(accuracy)}: {f'{found:,} rounds' if found else 'no horizon meets the conditions'}"


def moves(statement: Bound | Rate) -> dict[str, str]:
    """Return the trend in every letter."""
    from boundcheck.bounds.trends import trends

    return {t.letter: f"{t.direction} ({t.reason})" for t in trends(statement)}


def steps(bound: Bound, values: Mapping[str, float]) -> dict[str, str]:
    """Return the best steps beside the prescribed ones, and what the bound is with either."""
    from boundcheck.bounds.best import best_steps

    found = best_steps(bound, values)
    if found.rhs <= 0:
        # Which of these steps the search meets first is a matter of rounding.
        none = {name: f"no best one (prescribed {number(x)})" for name, x in found.prescribed.items()}
        said = f"not positive at some of them (prescribed {number(found.prescribed_rhs)})"
        return none | {"right-hand side": said, "!": "the conditions allow steps at which the bound cannot be true"}
    out = {}
    for name, value in found.parameters.items():
        # At an edge the number says only where the search stopped.
        towards = {None: number(value), "0": "the smaller the better"}.get(
            found.edges.get(name), "the larger the better"
        )
        out[name] = f"{towards} (prescribed {number(found.prescribed[name])})"
    out["right-hand side"] = f"{number(found.rhs)} (prescribed {number(found.prescribed_rhs)})"
    return out | {"gain": f"{found.ratio:.3g}"}
