"""The card of a bound: what its theorem says, how it behaves and what it amounts to at an example."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.errors import BoundcheckError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.bounds import Bound
    from boundcheck.bounds.rate import Rate

_STATED = ("heading", "where")
"""Entries before the status."""
_FORMS = "other forms"


def bound_card(name: str, N: int) -> dict[str, Any] | None:
    """Return the card of a bound, None if there is none of this name."""
    from boundcheck.bounds import BOUNDS

    if not BOUNDS.suits(name) or BOUNDS.own_name(name) != name:
        return None
    return with_statuses(name, facts(name, N))


def facts(name: str, N: int) -> dict[str, Any]:
    """Return the card of a bound but for statuses: what follows from the theorem and its example."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.bounds.forms import forms_of
    from boundcheck.bounds.units import findings
    from boundcheck.cli.cards.analysis import analysis_entries
    from boundcheck.evidence.trials.fitting import units_of
    from boundcheck.findings.places import place_words, without_lines
    from boundcheck.metrics import METRICS

    bound = BOUNDS[name]
    forms = forms_of(name) if name in set(BOUNDS) else ()
    return {
        "heading": f"bound {name}: {bound.title}",
        "where": place_words(bound.paper, bound.where),
        "form": f"{bound.form}, {bound.kind}",
        _FORMS: {one: BOUNDS[one].form for one in forms if one != name},
        "bounds": METRICS[bound.metric].meaning,
        **({"holds": bound.certainty} if bound.certainty else {}),
        "method": bound.method,
        "needs": ", ".join(bound.needs),
        **({"measured along the run": dict(bound.measured)} if bound.measured else {}),
        "terms": dict(bound.terms),
        "parameters": {f"{k}{' (free)' if k in bound.free else ''}": v for k, v in bound.parameters.items()},
        **({"in round t": {n: f"times {law}" for n, law in bound.schedule.items()}} if bound.schedule else {}),
        "conditions": [
            (c.relation, without_lines(c.label) + ("" if c.stated else ", unstated")) for c in bound.conditions
        ],
        "exponents": powers(bound),
        "units": [without_lines(f"{f.place}: {f.reason}") for f in findings(bound, units_of(bound))]
        or "homogeneous under f -> s f and x -> r x",
        "trivial bound": bound.trivial,
        **analysis_entries(bound, N),
        "note": bound.note,
    }


def with_statuses(name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a bound with its status and those of its other forms, which rest on more than the theorem."""
    from boundcheck.evidence.slack.loose import beside
    from boundcheck.verdicts.status import of_bound

    statement = of_bound(name)
    forms = [f"{one}: {form}, {of_bound(one).status}" for one, form in said[_FORMS].items()]
    head = {key: said[key] for key in _STATED}
    # Keys keep their places: the forms stay behind the form.
    found = head | {"status": statement.status, "because": list(statement.because)} | {**said, _FORMS: forms}
    return found | {"beside a machine's theorem": beside(name)}


def powers(statement: Bound | Rate) -> str:
    """Return the derived exponents of a bound or a row in words."""
    from boundcheck.bounds.orders import exponents

    try:
        e = exponents(statement)
    except BoundcheckError as error:
        return f"not known: {error}"
    if e.rounds is None:
        return "does not decrease with T"
    grows = ", ".join(f"{k}^({getattr(e, k)})" for k in ("N", "S", "K", "T") if getattr(e, k))
    return f"{grows}; eps^(-{e.rounds}) rounds, eps^(-{e.samples}) local steps for |grad| <= eps"
