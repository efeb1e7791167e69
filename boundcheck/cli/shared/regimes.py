"""What `explain BOUND PROBLEM` prints: the regime of a bound on a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.cli.terminal.output import number, print_card, print_json, say

if TYPE_CHECKING:
    from boundcheck.bounds.regimes import Purchase, Regime

_LITTLE = 0.99
"""A right-hand side that stays above this share of itself was not bought down."""


def explain_regime(
    word: str,
    problem: str,
    *,
    N: int | None,
    K: int | None,
    T: int | None,
    S: int | None,
    b: int,
    set_: list[str] | None,
    json: bool,
) -> None:
    """Print the regimes of a bound, or of all bounds of a method, on a problem.

    Raises
    ------
    InputError
        If N, K or T is left out, or there is no such bound or method.
    NotApplicableError
        If none of the bounds goes with the problem.
    """
    from boundcheck.api.words import bounds_meant
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import bound_named, problem_named
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.errors import NotApplicableError, require, require_count
    from boundcheck.evidence.checks.regime import regime
    from boundcheck.files.resources import names as shipped_names
    from boundcheck.problems import load_problem

    if word not in BOUNDS and word in shipped_names("problems"):
        word, problem = problem, word
    for name, value in (("--N", N), ("--K", K), ("--T", T)):
        require(value is not None, name, value, "a number, as the regime is that of a setting")
        require_count(value, name)
    names = bounds_meant(word, bound_named)
    assert N is not None
    assert K is not None
    assert T is not None
    loaded = load_problem(problem_named(problem), N=N)
    found, refused = [], []
    for name in names:
        try:
            found.append(regime(name, loaded, K=K, T=T, S=S, b=b, overrides=assignments(set_)))
        except NotApplicableError as error:
            refused.append(str(error))
    if not found:
        raise NotApplicableError(refused[0])
    if json:
        print_json([{**vars(one), "shares": one.shares, "dominating": one.dominating} for one in found])
        return
    at = f"N = {N}, S = {S or N}, K = {K}, T = {T}, b = {b}"
    for one in found:
        _print_regime(one, f"{one.bound} on {loaded.name} at {at}")
    for reason in refused:
        say(f"not applicable: {reason}")


def _print_regime(one: Regime, heading: str) -> None:
    shares = one.shares
    entries = {
        "regime": f"{one.dominating} dominates: {shares[one.dominating]:.0%} of the right-hand side",
        "right-hand side": f"{number(one.rhs)} = "
        + " + ".join(f"{number(value)} {name} ({shares[name]:.1%})" for name, value in one.terms.items()),
        "trivial bound": number(one.trivial) + (": vacuous here, more rounds first" if one.rhs >= one.trivial else ""),
        "twice as many": "\n".join(_purchase(purchase, one.rhs) for purchase in one.purchases),
        "what helps": _best(one),
        "another regime": "\n".join(f"{c.letter} = {c.at:.4g}: {c.before} gives way to {c.after}" for c in one.changes),
        "steps allowed": "\n".join(
            f"{s.name} = {s.prescribed:.4g} as prescribed"
            + (f", at most {s.largest:.4g} ({s.limited_by})" if s.limited_by else ", without a limit")
            for s in one.steps
        ),
        "conditions that fail": "\n".join(one.unmet),
    }
    print_card(heading, {key: text for key, text in entries.items() if text})


_WORDS = {"N": "clients", "S": "active clients", "K": "local steps", "T": "rounds", "b": "samples a gradient"}


def _purchase(one: Purchase, rhs: float) -> str:
    if one.ratio > _LITTLE:
        change = "buys nothing" if one.ratio <= 1.0 + 1e-9 else "makes it worse"
        return f"{one.letter}, {_WORDS[one.letter]}: {number(one.rhs)}, {change}"
    return f"{one.letter}, {_WORDS[one.letter]}: {number(one.rhs)}, {one.ratio:.2f} of {number(rhs)}"


def _best(one: Regime) -> str:
    best = one.best_purchase
    if best is None:
        return "none of N, S, K, T and b: change the steps or the problem"
    linear = " (a linear speed-up)" if abs(best.ratio - 0.5) < 0.02 else ""
    return f"{_WORDS[best.letter]} most: twice as many leave {best.ratio:.0%}{linear}"
