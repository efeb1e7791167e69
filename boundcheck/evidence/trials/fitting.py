"""Whether a bound and a problem fit, and the method at the parameters that the bound prescribes."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from boundcheck.bounds.bound import HOW_TO_DECLARE
from boundcheck.errors import InputError, NotApplicableError, require
from boundcheck.methods import METHODS
from boundcheck.methods.kinds import declared_kind, descriptions, kinds, units
from boundcheck.methods.schedule import Schedule
from boundcheck.methods.scheduled import with_laws
from boundcheck.metrics import METRICS
from boundcheck.notation import CHOICE, COUNT, LETTERS, NUMBER, WHOLE, letter_named
from boundcheck.problems.catalog import parse_name

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Values
    from boundcheck.methods.base import Method
    from boundcheck.notation import Kind, Unit
    from boundcheck.problems.base import Problem

_LETTER = re.compile(r"(?<![\w.])(?!t\b)[A-Za-z]\w*")
"""A letter in the law of a step, all but t."""
_SLACK = 1e-9
"""A weight that a formula gives may exceed 1 by rounding."""
_PRESCRIBING: WeakValueDictionary[int, Bound] = WeakValueDictionary()
"""Bounds that are known to say at which numbers their methods run, by id: every cell of a sweep asks."""


def require_fit(bound: Bound, problem: Problem) -> None:
    """Refuse a problem that a bound does not speak about.

    Raises
    ------
    NotApplicableError
        If the problem is of another kind, or its noise is not what the theorem assumes.
    """
    card = METHODS[bound.method].card
    if card.kind != problem.kind:
        msg = f"bound {bound.id} is about a {card.kind} problem, but {problem.name} is a {problem.kind} problem"
        raise NotApplicableError(msg)
    if bound.exact_gradients and problem.is_noisy:
        msg = f"bound {bound.id} is about exact local gradients, but {problem.name} has noise"
        raise NotApplicableError(msg)
    if bound.convex and not problem.convex:
        msg = f"bound {bound.id} is about convex clients, but those of {problem.name} are not known to be convex"
        raise NotApplicableError(msg)
    if bound.families and not _is_one_of(bound.families, problem):
        msg = f"bound {bound.id} is about {' and '.join(bound.families)} alone, and {problem.name} is none of them"
        raise NotApplicableError(msg)
    if problem.client_weights is not None and not bound.weighted:
        msg = f"bound {bound.id} is about the plain mean of the clients, but those of {problem.name} have weights"
        raise NotApplicableError(msg)
    METRICS[bound.metric].require_on(problem)
    if bound.independent_noise and problem.N > 1 and problem.is_noisy and not problem.noise.independent:
        label = "noise independent over the clients"
        msg = f"bound {bound.id}: condition '{label}' fails: {problem.name} has {problem.noise.kind} noise"
        raise NotApplicableError(msg)


def _is_one_of(families: tuple[str, ...], problem: Problem) -> bool:
    """Return whether a problem is of one of these families; one that was made in Python has its word for it."""
    base = parse_name(problem.name)[0]
    return base == "own" or not {problem.family, base, base.rpartition(":")[2]}.isdisjoint(families)


def build_prescribed_method(bound: Bound, where: str, resolved: Values) -> Method:
    """Return the method with the hyperparameters that the bound prescribes on what is called `where`.

    Raises
    ------
    NotApplicableError
        If the bound's formula gives no finite number here (a step 0/0 from a start at the minimum).
    InputError
        If what counts something is no whole number, or as `require_prescribed`.
    """
    require_prescribed(bound)
    hyper: dict[str, Any] = dict(bound.choices)
    cls = METHODS[bound.method]
    for name, kind in kinds(cls).items():
        letter = bound.hyper.get(name, name)
        # A letter of the problem serves too where the bound says which hyperparameter it is.
        if letter in bound.parameters or name in bound.hyper:
            if letter not in resolved:
                msg = f"bound {bound.id}: {name} of {bound.method} is {letter}, which {where} does not have"
                raise NotApplicableError(msg)
            _require_number(bound, where, letter, resolved)
            hyper[name] = value = resolved[letter]
            if kind.whole:
                require(kind.fits(float(value)), f"{bound.id}: {letter}", float(value), kind.legal)
                hyper[name] = int(value)
    return with_laws(cls(**_made_of_letters(bound, resolved) | hyper), _laws(bound, resolved))


def _laws(bound: Bound, resolved: Values) -> dict[str, str]:
    """Return the laws of a theorem's steps with numbers in the place of letters.

    Raises
    ------
    InputError
        If a law names what is no letter of the bound.
    """

    def number(found: re.Match[str]) -> str:
        name = found[0]
        known = {one for one in resolved if one in bound.parameters or one in LETTERS}
        require(
            name in known, f"bound {bound.id}: schedule", name, f"t, a number, or one of {', '.join(sorted(known))}"
        )
        return repr(float(resolved[name]))

    return {name: _LETTER.sub(number, law) for name, law in bound.schedule.items()}


def _made_of_letters(bound: Bound, resolved: Values) -> dict[str, Any]:
    """Return the choices that a theorem describes by one number each, such as a quantiser."""
    choices = descriptions(METHODS[bound.method])
    return {
        name: choice.named(float(resolved[choice.letter]))
        for name, choice in choices.items()
        if choice.letter in bound.parameters
    }


def _require_number(bound: Bound, where: str, letter: str, resolved: Values) -> None:
    if not math.isfinite(resolved[letter]):
        formula = bound.parameters.get(letter, letter)
        used = {*bound.needs, *(s.name for s in getattr(formula, "free_symbols", ()))}
        zero = ", ".join(f"{name} = 0" for name in resolved if name in used and resolved[name] == 0)
        what = "infinite" if math.isinf(resolved[letter]) else "no number"
        msg = f"bound {bound.id} prescribes {letter} = {formula}, which is {what} on {where}"
        raise NotApplicableError(msg + (f", where {zero}" if zero else ""))


def at_defaults(bound: Bound) -> dict[str, Any]:
    """Return the numbers of the bound's method that the bound does not name: it runs at the class's defaults."""
    cls = METHODS[bound.method]
    every = {f.name: f.default for f in dataclasses.fields(cls)}  # type: ignore[arg-type]
    open_ones = (name for name, kind in kinds(cls).items() if kind is not CHOICE and not _is_named(bound, name))
    return {name: every[name] for name in open_ones if every[name] is not None}


def _is_named(bound: Bound, name: str) -> bool:
    return name in bound.choices or name in bound.hyper or name in bound.parameters


def require_prescribed(bound: Bound) -> None:
    """Refuse a bound that leaves open at which numbers its method runs, unless the method is plain at the defaults.

    Plain is a server step of 1, a penalty of 0: `boundcheck.notation.Kind.neutral`.

    Raises
    ------
    InputError
        With the hyperparameter and its default; or if `hyper` names none of the method's.
    """
    if _PRESCRIBING.get(id(bound)) is bound:
        return
    known = kinds(METHODS[bound.method])
    # Whatever numbers its letters stand for, a law has one of the known forms.
    spelled = {name: _LETTER.sub("2", law) for name, law in bound.schedule.items()}
    Schedule.check(spelled, list(known), f"bound {bound.id}")
    for name, letter in bound.hyper.items():
        legal = f"a parameter of the bound, or {HOW_TO_DECLARE.format(letter)}"
        require(letter in bound.parameters or letter in LETTERS, f"{bound.id}: hyper: {name}", letter, legal)
        require(name in known, f"{bound.id}: hyper", name, f"a hyperparameter of {bound.method}: {', '.join(known)}")
    for name in bound.parameters:
        require(name in LETTERS or name in known, f"{bound.id}: parameter", name, HOW_TO_DECLARE.format(name))
    for name, default in at_defaults(bound).items():
        if default not in known[name].neutral:
            default_text = "it has no default" if default is dataclasses.MISSING else f"its default is {default}"
            msg = (
                f"{bound.id}: the theorem does not say at which {name} {bound.method} runs ({default_text}); "
                f"legal are a formula for {name} in parameters, or a value in choices"
            )
            raise InputError(msg)
    _PRESCRIBING[id(bound)] = bound


def require_legal(bound: Bound, method: Method) -> None:
    """Refuse hyperparameters outside of what their declared kinds allow: a weight above 1.

    Raises
    ------
    NotApplicableError
        With the name, the value and the legal range.
    """
    for f in dataclasses.fields(method):  # type: ignore[arg-type]
        kind, value = declared_kind(f), getattr(method, f.name)
        if kind is None or kind is CHOICE or not isinstance(value, (int, float)) or value == f.default:
            continue
        if not kind.fits(value) and not kind.fits(value * (1 - _SLACK)):
            msg = f"bound {bound.id}: {f.name} = {value:.6g} of {bound.method} is a {kind.name}: {kind.legal}"
            raise NotApplicableError(msg)


def kind_in(bound: Bound, letter: str) -> Kind:
    """Return what values a parameter of a bound takes: what its method declares, else what the letter is.

    Of a letter of the user's own of which nothing is said, whole numbers if it is a plain number that is prescribed as
    one: a search must not try a delay of half a round.
    """
    cls = METHODS[bound.method]
    for f in dataclasses.fields(cls):  # type: ignore[arg-type]
        if bound.hyper.get(f.name, f.name) == letter and (kind := declared_kind(f)):
            return kind
    about, formula = letter_named(letter), bound.parameters.get(letter)
    is_whole = about.declared is None and about.unit == NUMBER and bool(getattr(formula, "is_Integer", False))
    return (COUNT if formula else WHOLE) if is_whole else about.kind


def units_of(bound: Bound) -> dict[str, Unit]:
    """Return the units of a bound's letters that differ from the notation's: as its method has them, or as it says."""
    cls = METHODS[bound.method]
    return {bound.hyper.get(name, name): unit for name, unit in units(cls).items()} | dict(bound.units)
