"""A review in sentences, which the terminal and the page print alike."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from boundcheck.bounds.orders import exponents
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.trials.digits import pair_of_digits
from boundcheck.files.display import list_values
from boundcheck.findings.places import place_words, without_lines
from boundcheck.metrics import METRICS
from boundcheck.notation import PAPERS, letter_named
from boundcheck.report.pages.theorems.theorem import FORMS
from boundcheck.reviews.questions import LEFT, SEARCHED
from boundcheck.verdicts.words import STATUS_WORDS

if TYPE_CHECKING:
    from boundcheck.bounds.bound import Bound, Condition
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.reviews.answers import Review


_ABOVE = 1.0 + 1e-6
"""A ratio that rounding alone does not reach."""
_FAR = 10.0
"""How many times the left-hand side the right one is where a rate seen so far says little."""


class Section(NamedTuple):
    """A question and its answer."""

    title: str
    lines: tuple[str, ...]
    """In plain text, formulas as they are typed."""


def heading(r: Review) -> str:
    """Return what is under review, in a line."""
    return f"{r.bound.id}: {r.bound.title} ({source(r.bound)})"


def source(bound: Bound) -> str:
    """Return the paper, and where in it the theorem stands, as a report says it."""
    paper = PAPERS.get(bound.paper)
    title = f"{paper.title} ({paper.reference})" if paper else bound.paper
    return ", ".join(filter(None, [title, place_words(bound.paper, bound.where)]))


def hypotheses(bound: Bound) -> list[str]:
    """Return every hypothesis: what the clients are, and the conditions on letters."""
    stated = {True: "", False: " (not stated)"}
    relations = [f"{without_lines(c.label)}: {_relation(c)}{stated[c.stated]}" for c in bound.conditions]
    return assumptions(bound) + relations


def assumptions(bound: Bound) -> list[str]:
    """Return the hypotheses that are no relation between letters."""
    lines = [f"{name}: {letter_named(name).meaning}" for name in bound.needs]
    lines += [f"it speaks of {' and '.join(bound.families)} alone"] if bound.families else []
    lines += ["every f_i is convex"] if bound.convex else []
    lines += (
        ["the clients may have weights: f = sum_i p_i f_i, zeta and the like are means with them"]
        if bound.weighted
        else []
    )
    lines += [bound.certainty] if bound.certainty else []
    lines += ["exact local gradients"] if bound.exact_gradients else []
    lines += (
        ["the noises of the clients are independent"] if bound.independent_noise and not bound.exact_gradients else []
    )
    lines += [f"{name} times {law} in round t" for name, law in bound.schedule.items()]
    lines += [f"{letter}: {quantity}, measured along the run" for letter, quantity in bound.measured.items()]
    return lines


def _relation(condition: Condition) -> str:
    """Return a relation with its sign between its sides; Euler's number is exp(1), E may be a letter of a paper."""
    import sympy as sp

    relation = condition.relation.xreplace({sp.E: sp.Symbol("exp(1)")})
    sign = "=" if relation.rel_op == "==" else relation.rel_op
    return f"{relation.lhs} {sign} {relation.rhs}"


SCALES = (
    "s is the unit of f and r that of x; a step that is a length, as of a normalised method, is units={'eta': (0, 1)}"
)
"""What units are written in, beside those that do not fit."""


def sections(r: Review) -> list[Section]:
    """Return every question with its answer, in the order in which a reviewer asks."""
    return [
        Section("status", _status(r)),
        Section("can the conditions be met", (_feasible(r),)),
        Section(
            "units",
            (*(without_lines(line) for line in r.units), SCALES)
            if r.units
            else ("fit: homogeneous under f -> s f and x -> r x",),
        ),
        Section("says something", (_horizon(r),)),
        Section("measured", _measured_lines(r)),
        Section("search", _search(r)),
        Section("worst case", (_worst(r),)),
        Section("rate", (_rate(r), *_cost(r.bound))),
        Section("proof", (r.proof.words, *(f"{name}: {word}" for name, word in r.proof.claims if word != "proved"))),
        Section("not asked", r.unasked),
    ]


def _status(r: Review) -> tuple[str, ...]:
    """Return the status in the words of the report, with what an audit found about the statement as printed."""
    runs = [ground for ground in r.status.because if ground.partition(":")[0] in {"run", "search"}]
    grounds = [ground for ground in r.status.because if ground not in runs]
    grounds += ["what was run here"] if runs else []
    because = f"; because of {', '.join(grounds)}" if grounds else ""
    lines = [f"{r.status.status}: {STATUS_WORDS[r.status.status].meaning}{because}", f"form: {FORMS[r.bound.form]}"]
    if r.bound.remark is not None:
        lines.append(r.bound.remark.why)
        lines += [f"what is left: {r.bound.remark.after}"] if r.bound.remark.after else []
    lines += [f"note: {r.bound.note}"] if r.bound.note else []
    return tuple(lines)


def _feasible(r: Review) -> str:
    word = {True: "yes", False: "never", None: "open"}[r.feasible]
    example = list_values(r.example, ".3g")
    return f"{word}: {r.feasible_because}" + (f", as at {example}" if example else "")


def _horizon(r: Review) -> str:
    found = r.horizon
    where = f" on {found.where}" if found.where else ""
    if found.why:
        return f"{found.why}{where}"
    if found.first is None:
        return f"never{where}" if r.feasible is False else f"not up to T = {found.looked_to:g}{where}"
    if found.at_zero:
        return f"not below T = {found.first:,}{where}, later where a run has {' or '.join(found.at_zero)} above 0"
    return f"from T = {found.first:,}{where}"


def _measured_lines(r: Review) -> tuple[str, ...]:
    silent = f"; not of others, most often because: {r.silent_because}" if r.silent_because else ""
    spoken = f"it speaks of {r.spoken_of} of {r.looked_at} problems{silent}"
    return (*(measured_line(verdict) for verdict in r.measured), spoken)


def measured_line(v: Verdict) -> str:
    """Return what was measured on one problem, beside the right-hand side."""
    at = v.setting or {}
    some = ("N", "S", "K", "T") if at.get("S") != at.get("N") else ("N", "K", "T")
    where = ", ".join((v.problem, *(f"{name} = {at[name]:g}" for name in some if name in at)))
    if v.measured is None or v.rhs is None:
        return f"{v.verdict} on {where}: {v.reason}"
    measured, rhs = pair_of_digits(v.measured, v.rhs, 3)
    return f"{v.words} on {where}: {measured} against {rhs} (trivial {v.vacuity:.3g})"


_LONG_NUMBER = re.compile(r"(?<![\w.])\d{5,}\.\d+")
"""A number with more digits than a reader wants."""


def _search(r: Review) -> tuple[str, ...]:
    found = r.search
    if found is None:
        return (LEFT if SEARCHED in r.cut else "nothing to search: the assumptions exclude each other",)
    tried = f"{found.tried} instances within the conditions, {found.refused} outside"
    if found.instance is None:
        return (f"{found.verdict}: {found.why or 'no instance is legal'} ({tried})",)
    at = found.instance
    # A worst function lies in the user's cache, under a name that says nothing.
    base, bracket, dials = at.problem.partition("[")
    dials = _LONG_NUMBER.sub(lambda number: f"{float(number[0]):.6g}", dials)
    on = f"a worst function of its class{bracket}{dials}" if base.endswith(".toml") else at.problem
    where = f"{on}, N = {at.N}, K = {at.K}, T = {at.T}" + (f", S = {at.S}" if at.S else "")
    where += f", b = {at.b}" if at.b > 1 else ""
    where += "".join(f", {name} = {value:.6g}" for name, value in at.overrides)
    if found.verdict == "violated":
        why = found.confirmed.reason if found.confirmed is not None else ""
        lines = [f"{found.words} on {where}: {why}"]
        if found.factors:
            grow = ", or ".join(f"{name} by {factor:.4g}" for name, factor in found.factors.items())
            lines.append(f"a term alone must grow: {grow}, for this instance")
        lines += [found.remark] if found.remark else []
        return (*lines, found.command)
    ratio = "" if found.ratio is None else f" at {found.ratio:.3g} of the right-hand side"
    if found.ratio == math.inf:
        ratio = " at more than 1e308 times the right-hand side"
    if found.ratio is not None and found.ratio > _ABOVE:
        # A mean of few draws may be, and so may what nobody had the time to confirm.
        ratio += ", which is above it and was not confirmed" + (
            " before the seconds were over" if found.stopped_by == "seconds" else ""
        )
    least = found.confirmed.constant_at_least if found.confirmed is not None else None
    constant = f"; the hidden constant is at least {least:.3g}" if least is not None else ""
    return (f"{found.verdict} in {tried}; nearest{ratio} on {where}{constant}",)


def _worst(r: Review) -> str:
    found = r.worst.case
    if found is None:
        return f"not known: {r.worst.why}"
    case = found.case
    loose = found.rhs / case.upper if case.upper else float("inf")
    is_order = r.bound.kind == "order"
    right = "the right-hand side with hidden constant 1" if is_order else "the right-hand side"
    least = f"; the hidden constant is at least {found.excess:.3g}" if is_order and found.excess else ""
    return f"{case.verdict}: {case.upper:.4g}, and {right} is {loose:.3g} times that, at {r.worst.where}{least}"


def _cost(bound: Bound) -> tuple[str, ...]:
    """Return how many rounds and local steps an accuracy asks for; nothing where no power of T is known."""
    try:
        found = exponents(bound)
    except BoundcheckError:
        return ()
    if found.rounds is None or found.samples is None:
        return ()
    regime = ", ".join(f"{letter} = {formula}" for letter, formula in bound.regime.items())
    regime = f" (with {regime}, as the paper sets it)" if regime else ""
    function = "Phi" if METRICS[bound.metric].minimax else "f"
    rounds, steps = (f"eps^(-{power})" for power in (found.rounds, found.samples))
    return (f"for |grad {function}| <= eps it asks for {rounds} rounds and {steps} local steps of a client{regime}",)


def _rate(r: Review) -> str:
    found = r.rate
    if found.factors is not None:
        right, left = found.factors
        return f"promised a factor of {right:.4g} a round; seen {left:.4g}, on {found.where}"
    if found.fit is None:
        promised = f"promised {found.promised}" if found.promised.startswith("T^") else found.promised
        return promised + (f"; not fitted: {found.why}" if found.why else "")
    fit = found.fit
    note = f" ({fit.note})" if fit.note else ""
    seen = f"T^({-fit.exponent:.2f}), 95 % interval {-fit.high:.2f} .. {-fit.low:.2f}"
    # A left-hand side may wait far below the right before it has to fall.
    far = "" if found.room is None or found.room < _FAR else f", where the right is {found.room:.3g} times the left"
    return f"promised {found.promised}; seen {seen}: {fit.promise}{note}, on {found.where}{far}"
