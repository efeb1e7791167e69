"""A page a theorem: the inequality, what it prescribes, its conditions, its constants and its exponents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.orders import exponents
from boundcheck.errors import BoundcheckError, NotApplicableError
from boundcheck.evidence.trials.trial import pair
from boundcheck.findings.places import place_words, without_lines
from boundcheck.metrics import METRICS
from boundcheck.notation import PAPERS
from boundcheck.report.pages.status import because
from boundcheck.report.theorems import place
from boundcheck.report.typst.markup import (
    anchor,
    badge,
    code,
    escape,
    letter,
    literal,
    number,
    power,
    prose,
    rational,
    setting,
    table,
)
from boundcheck.report.typst.typeset import typeset
from boundcheck.sweep.cells.cells import make_problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.bounds.bound import Bound, Condition, Evaluation
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.sweep import StudyResult
    from boundcheck.sweep.results.results import StudyPoint

FORMS = {
    "printed": "as the paper prints it",
    "proof": "as the paper's proof gives it",
    "repaired": "repaired: an error of the paper is corrected",
    "sharpened": "sharpened: smaller constants, by the same proof or by a certificate",
}


def theorem(name: str, result: StudyResult, after: str = "") -> str:
    """Return the page of one bound, its conditions evaluated at a grid point of the study.

    Parameters
    ----------
    name : str
        A bound.
    result : StudyResult
        A study of it.
    after : str
        A form of the same theorem whose page precedes: what both have in common is not said again.
    """
    # A page is measured before it is set: a label inside would be there twice.
    page = _form(name, after) if after else _page(name, result)
    return f"{anchor(place('bound', name))}\n{page}"


def _form(name: str, after: str) -> str:
    """Return what another form of a theorem says, and in which parameters and conditions it differs."""
    bound, first = BOUNDS[name], BOUNDS[after]
    others = {
        letter: formula for letter, formula in bound.parameters.items() if first.parameters.get(letter) != formula
    }
    more = [c for c in bound.conditions if c.relation not in {f.relation for f in first.conditions}]
    fewer = [c for c in first.conditions if c.relation not in {c.relation for c in bound.conditions}]
    told = [f"${letter(x)} = {typeset(formula)}$" for x, formula in others.items()]
    place = prose(place_words(bound.paper, bound.where))
    parts = [
        f"=== {prose(bound.title)}\n{code(name)}: {place}. Form: {FORMS[bound.form]}. {because(name)}",
        inequality(bound),
        f"#note[{prose(bound.note)}]\n" if bound.note else "",
        f"Other parameters: {', '.join(told)}.\n" if told else "",
        f"Further conditions: {_relations(more)}.\n" if more else "",
        f"Without: {_relations(fewer)}.\n" if fewer else "",
    ]
    return "\n".join(part for part in parts if part)


def _relations(conditions: Sequence[Condition]) -> str:
    return "; ".join(f"{prose(without_lines(c.label))} $inline({typeset(c.relation)})$" for c in conditions)


def _page(name: str, result: StudyResult) -> str:
    bound = BOUNDS[name]
    paper = PAPERS.get(bound.paper)
    kind = "explicit constants" if bound.kind == "explicit" else "order only: a numeric constant is hidden"
    head = (
        f"== {prose(bound.title)}\n{code(name)}: {prose(place_words(bound.paper, bound.where))}, in "
        f"_{escape(paper.title if paper else bound.paper)}_{f' ({escape(paper.reference)})' if paper else ''}. "
        f"Form: {FORMS[bound.form]}. Kind: {kind}. Method: {code(bound.method)}.\n"
        f"Left-hand side: {prose(METRICS[bound.metric].meaning)}.\n"
    )
    head += f"It holds {prose(bound.certainty)}.\n" if bound.certainty else ""
    head += because(name)
    note = f"#note[{prose(bound.note)}]\n" if bound.note else ""
    found = pairing(name, bound, result)
    if found is None or isinstance(found, str):
        refusal = f"#framed[{badge('not applicable')}: {escape(found)}]\n" if found else ""
        return one_page(head, inequality(bound), note, _exponents(bound), refusal, parameters(bound, {}))
    at = setting(found[0].setting)
    here = f"Numbers are those at {at}, a cell of _{prose(result.study.title)}_ on {code(result.study.problem)}.\n"
    return one_page(head, inequality(bound, found[1].evaluation), note, _exponents(bound) + here, _at(bound, found[1]))


def one_page(*parts: str) -> str:
    """Return markup that is shrunk a little if that makes it fit one page."""
    body = "\n\n".join(parts)
    return f"#one-page[\n{body}\n]\n"


def inequality(bound: Bound, here: Evaluation | None = None) -> str:
    """Return the inequality, a line a term, with the terms' values at one cell."""
    left = METRICS[bound.metric].formula or literal(bound.metric)
    sign = "<=" if bound.kind == "explicit" else "lt.tilde"
    rows = []
    for i, (name, expression) in enumerate(bound.terms.items()):
        value = here.terms[name] if here else None
        share = f"{100 * value / here.rhs:.1f} %" if here and value is not None and 0 < here.rhs < math.inf else ""
        lead, formula = f"${'+' if i else sign}$", f"#formula[$ {typeset(expression)} $]"
        rows.append([lead, formula, escape(name), number(value) if here else "", share])
    if here:
        vacuous = " (so the bound is vacuous here)" if here.vacuous else ""
        rows.append(["", "#strong[right-hand side]", "", f"#strong[{number(here.rhs)}]", ""])
        trivial = f"trivial bound: ${typeset(bound.trivial)}$ needs no theorem{vacuous}"
        rows.append(["", trivial, "", number(here.trivial), ""])
    head = ["", f"#formula[$ {left} $]", "Term", "Here", "Share"]
    kept = len(head) if here else 3
    return table(
        head[:kept],
        [row[:kept] for row in rows],
        "(auto, 1fr, auto, auto, auto)" if here else "(auto, 1fr, auto)",
        align=f"({', '.join(_ALIGN[:kept])})",
    )


_ALIGN = ("right + horizon", "left + horizon", "left + horizon", "right + horizon", "right + horizon")


def parameters(bound: Bound, values: Mapping[str, float], title: str = "=== Parameters\n") -> str:
    """Return what the theorem prescribes, with the values at the grid point."""
    if not bound.parameters:
        return ""
    rows = [
        [
            f"${letter(n)}$" + (" (free)" if n in bound.free else ""),
            f"#formula[$ {typeset(e)} $]",
            number(values.get(n)),
        ]
        for n, e in bound.parameters.items()
    ]
    rows += [
        [f"${letter(n)}$", "computed step by step over the schedule", number(values.get(n))] for n in bound.derived
    ]
    return title + table(
        ["Letter", "Prescription", "Here"],
        rows,
        "(auto, 1fr, auto)",
        align="(left + horizon, left + horizon, right + horizon)",
    )


def _exponents(bound: Bound) -> str:
    try:
        found = exponents(bound)
    except BoundcheckError as error:
        return f"#note[No exponents: {escape(str(error))}]\n"
    powers = " ".join(
        power(n, float(p)) for n, p in (("T", found.T), ("N", found.N), ("K", found.K), ("S", found.S)) if p != 0
    )
    text = (
        f"Derived from the terms, at the prescribed parameters: the bound behaves like {powers or '$1$'} as $T$ grows"
    )
    if found.rounds is None or found.samples is None:
        return f"{text}. It does not decrease with $T$, so it promises no complexity.\n"
    regime = ", ".join(f"${letter(k)} = {typeset(v)}$" for k, v in bound.regime.items())
    regime = f" (with {regime}, as the paper sets it)" if regime else ""
    gradient = "Phi" if METRICS[bound.metric].minimax else "f"
    return (
        f"{text}{regime}; for $norm(nabla {gradient}) <= epsilon$ it asks for "
        f"$epsilon^(-{rational(float(found.rounds))})$ rounds and $epsilon^(-{rational(float(found.samples))})$ local "
        "steps of a client.\n"
    )


def pairing(name: str, bound: Bound, result: StudyResult) -> tuple[StudyPoint, Trial] | str | None:
    """Return the cell that the page shows with the bound evaluated there, or why it cannot be."""
    point = _last_point(name, result)
    if point is None:
        return None
    try:
        return point, _trial_at(name, bound, result, point)
    except NotApplicableError as error:
        return str(error)


def _at(bound: Bound, found: Trial) -> str:
    """Return parameters, conditions and constants at one cell."""
    parts = [
        parameters(bound, found.evaluation.values),
        "=== Conditions\n",
        _conditions(bound, found),
        "=== Constants of the problem\n",
        _constants(bound, found),
    ]
    return "\n".join(parts)


def _last_point(name: str, result: StudyResult) -> StudyPoint | None:
    """Return the last grid point to which the bound applies, else the last one."""
    applies = [p for p in result.points if p.verdicts[name].verdict != "not applicable"]
    return (applies or result.points or [None])[-1]  # type: ignore[list-item]


def _trial_at(name: str, bound: Bound, result: StudyResult, point: StudyPoint) -> Trial:
    at = point.setting
    N = int(at["N"])
    options = tuple((k, v) for k, v in at.items() if k not in {"N", "K", "T", "S"})
    problem = make_problem(result.study.problem, options, N)
    first = point.verdicts[result.study.bounds[0]].setting or {}
    used = {k: v for k, v in first.items() if k in bound.parameters}
    measured = {k: v for k, v in (point.verdicts[name].setting or first).items() if k in bound.measured}
    overrides = measured | (dict(result.study.overrides) if name == result.study.bounds[0] else used)
    return pair(
        bound,
        problem,
        K=int(at["K"]),
        T=int(at["T"]),
        S=int(at.get("S", N)),
        b=result.study.b,
        overrides=overrides,
        strict=False,
    )


def _conditions(bound: Bound, found: Trial) -> str:
    if not bound.conditions:
        return "The theorem states no condition.\n"
    rows = [
        [
            f"#met({'true' if checked.holds else 'false'})",
            prose(without_lines(condition.label)),
            "yes" if condition.stated else "#emph[no]",
            f"#formula[$ inline({typeset(condition.relation)}) $]",
            number(checked.left),
            number(checked.right),
        ]
        for condition, checked in zip(bound.conditions, found.evaluation.conditions, strict=True)
    ]
    return table(
        ["", "Condition", "Stated", "Relation", "Left", "Right"],
        rows,
        "(auto, 1.2fr, auto, 1.5fr, auto, auto)",
        align="(center, left, left, left, right, right).map(side => side + horizon)",
    )


def _constants(bound: Bound, found: Trial) -> str:
    known = found.problem.letters
    rows = [
        [f"${letter(n)}$", number(known[n].value), known[n].kind, prose(known[n].reason)]
        for n in bound.needs
        if n in known
    ]
    return table(["", "Value", "Kind", "Why"], rows, "(auto, auto, auto, 1fr)", align="(left, right, left, left)")
