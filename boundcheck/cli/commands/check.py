"""The command `check`: a bound against measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boundcheck.cli.shared.suggest import Suggest, print_suggestions
from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import Assign, BoundName, FailOn, Horizons, Json, ProblemName, Vary, Whole
from boundcheck.cli.terminal.output import number, print_card, print_json
from boundcheck.files.display import list_values
from boundcheck.verdicts.codes import code_of

if TYPE_CHECKING:
    from boundcheck.api.results import Verdicts
    from boundcheck.evidence import Verdict


_LARGEST = 3
"""Most terms of a right-hand side that are named."""
_SMALL = 0.01
"""Share of a right-hand side below which a term is not named."""


@answer_once
def check(
    bound: BoundName,
    problem: ProblemName,
    /,
    *,
    N: Whole,
    K: Whole,
    T: Horizons,
    S: Whole | None = None,
    b: Whole = 1,
    set_: Assign = None,
    vary: Vary = None,
    alpha: float = 0.05,
    replicates: Whole = 16,
    budget: Whole = 256,
    seed: Whole = 0,
    paths: Whole = 4096,
    fail_on: FailOn = None,
    suggest: Suggest = False,
    json: Json = False,
) -> int:
    """Check a bound on a problem: measured against the right-hand side, with an error rate; names in any order.

    A bound of order only is neither violated nor does it hold: a lower limit of its hidden constant is given, and with
    at least three values of T how the ratio grows along them.

    Parameters
    ----------
    bound
        Name of a bound, or file.py:NAME.
    problem
        Name of a problem, or a path to a .toml file; may carry parameters: ridge-ratio[zeta=2].
    N
        Clients.
    K
        Local steps a round.
    T
        Rounds: one number or several.
    S
        Active clients a round; all when left out.
    b
        Minibatch: samples averaged in one gradient.
    set_
        A parameter of the bound to use in place of the prescribed one, name=value; may be repeated.
    vary
        A problem parameter that runs along with T: name=v1,v2,... with one value for each T.
    alpha
        Error rate.
    replicates
        Replicates of the first stage.
    budget
        Replicates at most.
    seed
        Root seed.
    paths
        Paths of a run up to which it is enumerated for an exact verdict; 0 never.
    suggest
        Check nothing: list the shipped problems of which the bound speaks at this setting, those first on which it says
        something.
    fail_on
        Exit with 1 on this verdict, or on a bound whose status is "false as printed"; may be repeated.
    """
    from boundcheck.api.theorems import check as ask
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import beside_problem
    from boundcheck.cli.terminal.settings import assignments, parse_variations
    from boundcheck.errors import require
    from boundcheck.verdicts.status import of_bound

    require(bool(T), "--T", "", "one number of rounds or several")
    bound, problem = beside_problem("bound", bound, problem, BOUNDS)
    size: dict[str, Any] = {"N": N, "K": K, "S": S, "b": b}
    if suggest:
        print_suggestions(bound, **size, T=max(T), json=json)
        return 0
    runs = parse_variations(vary, len(T))
    varied = {name: [values[name] for values in runs] for name in runs[0]}
    procedure: dict[str, Any] = {"alpha": alpha, "replicates": replicates, "budget": budget, "seed": seed}
    if not vary:
        _say_how_long(bound, problem, T, size, procedure, assignments(set_))
    found = ask(bound, problem, T=T, **size, set_=assignments(set_), vary=varied, **procedure, paths=paths)
    if json:
        print_json(found[0].data() if len(found) == 1 else [v.data() for v in found])
    else:
        empty = not (set_ or vary) and any(v.verdict == "vacuous" for v in found)
        _print_checked(bound, found, _first_horizon(bound, problem, **size) if empty else "")
    words = {of_bound(bound).status, *(v.verdict for v in found)}
    return code_of(words, fail_on)


def _say_how_long(
    bound: str, problem: str, T: list[int], size: dict[str, Any], procedure: dict[str, Any], chosen: dict[str, Any]
) -> None:
    """Say what a long check will take, before it begins; what is wrong with it, it says itself."""
    from boundcheck.api.names import problem_object
    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.beforehand import say_beforehand
    from boundcheck.engine.setting import Setting
    from boundcheck.errors import BoundcheckError
    from boundcheck.evidence.checks.forecast import forecast_check

    many = {name: procedure[name] for name in ("replicates", "budget", "seed")}
    try:
        made, at = problem_object(problem, size["N"]), {key: size[key] for key in ("K", "S", "b")}
        settings = [Setting.of(made, T=rounds, **at) for rounds in T]
        parts = [forecast_check(BOUNDS[bound], made, one, **many, overrides=chosen) for one in settings]
    except BoundcheckError:
        return
    first, most = (sum(seconds) for seconds in zip(*parts, strict=True))
    if most == first:
        say_beforehand("check", first)
    else:
        stage = f"the first {many['replicates']} replicates take"
        say_beforehand("check", first, what=stage, further=(f"all {many['budget']} take", most))


def _first_horizon(bound: str, problem: str, *, N: int, K: int, S: int | None, b: int) -> str:
    """Return from which T on a bound says something on a problem; nothing where no horizon can be named."""
    from boundcheck.errors import NotApplicableError
    from boundcheck.problems import load_problem
    from boundcheck.rates.horizons import horizon

    try:
        return horizon(bound, load_problem(problem, N=N), K=K, S=S, b=b).words
    except NotApplicableError:
        return ""


def _print_checked(bound: str, verdicts: Verdicts, from_when: str) -> None:
    for verdict in verdicts:
        _print_verdict(verdict, from_when if verdict.verdict == "vacuous" else "")
    if (shape := verdicts.shape) is not None:
        ratios = ", ".join(f"{shape.letter} = {x:g}: {r:.4g}" for x, r in zip(shape.x, shape.ratios, strict=True))
        print_card(f"{bound} along {shape.letter}", {"verdict": f"{shape.verdict}: {shape.reason}", "ratios": ratios})


def _print_verdict(v: Verdict, from_when: str) -> None:
    from boundcheck.verdicts.words import MEANS

    entries = {
        "verdict": f"{v.words}: {v.reason}",
        "from when on": from_when,
        "how": f"{v.how}: {MEANS[v.how]}" if v.how else "",
        "to settle it": v.settle,
    }
    if v.verdict == "not applicable":
        entries["what to do"] = "--suggest lists the problems of which the bound speaks; --set changes a parameter"
    if v.constant_at_least is not None:
        entries["constant"] = f"at least {number(v.constant_at_least)}"
    if v.measured is not None:
        entries |= _describe_measured(v, v.measured)
    entries["at the method's default"] = list_values(v.defaults or {}, "g")
    setting = v.setting or {}
    at = ", ".join(f"{k} = {setting[k]:g}" for k in ("N", "S", "K", "T", "b") if k in setting)
    print_card(f"{v.bound} on {v.problem} {at}".strip(), {name: text for name, text in entries.items() if text})


def _describe_measured(v: Verdict, measured: float) -> dict[str, str]:
    """Return what was measured beside the right-hand side, and what that is made of."""
    from boundcheck.cli.terminal.formulas import on_one_line
    from boundcheck.evidence.trials.digits import pair_of_digits
    from boundcheck.findings.places import without_lines

    runs = f"95 % interval {number(v.low)} .. {number(v.high)}, {v.replicates} replicates"
    shown, rhs = pair_of_digits(measured, v.rhs, 4) if v.rhs is not None else (number(measured), "")
    terms = " + ".join(f"{number(value)} {name}" for name, value in v.terms.items())
    entries = {
        "measured": f"{shown} ({runs if v.replicates != 1 else 'one run'})",
        "right-hand side": f"{rhs} = {terms}",
    }
    if v.rhs and measured:
        entries["looseness"] = looseness(v)
    if v.rhs and len(v.terms) > 1:
        top = max(v.terms, key=lambda name: v.terms[name])
        entries["regime"] = f"{top} dominates; explain {v.bound} PROBLEM says what more clients, steps or rounds buy"
    conditions = (
        f"{'✓' if c.holds else '✗'} {without_lines(c.label)}: {on_one_line(c.relation)}" for c in v.conditions
    )
    return entries | {"trivial bound": number(v.vacuity), "conditions": "\n".join(conditions)}


def looseness(v: Verdict) -> str:
    """Return how many times the measurement goes into the bound, and which terms the bound is made of."""
    assert v.rhs
    assert v.measured
    shares = sorted(((value / v.rhs, name) for name, value in v.terms.items()), reverse=True)
    told = ", ".join(f"{name} {share:.0%}".replace("%", " %") for share, name in shares[:_LARGEST] if share >= _SMALL)
    return f"{v.rhs / v.measured:.3g}x{' loose' if v.rhs >= v.measured else ': below what was measured'}; {told}"
