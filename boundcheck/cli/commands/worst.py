"""The commands `worst` and `tightness`: the worst case over a class of problems, alone and beside a theorem."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from boundcheck.cli.commands.sharpen import CertificateFile, write_proof
from boundcheck.cli.terminal.answers import answer_once
from boundcheck.cli.terminal.options import Assign, BoundName, Horizons, Json, Whole, names_of, option_of
from boundcheck.cli.terminal.output import mark, number, print_card, print_json, print_table
from boundcheck.files.display import list_values
from boundcheck.verdicts.codes import code_of
from boundcheck.verdicts.words import CASE_WORDS, CaseWord

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from boundcheck.api.worst_cases import WorstQuestion
    from boundcheck.evidence.slack.waterfall import Waterfall
    from boundcheck.methods.base import Method
    from boundcheck.worst import WorstCase
    from boundcheck.worst.stated import ClaimedValue, StatedCase

_HORIZONS = 3
"""Horizons from which on a law in T is looked for."""
Steps = Annotated[Whole, Parameter(help="Local steps a round.")]
Rounds = Annotated[Horizons, Parameter(help="Rounds: one number or several.")]
Clients = Annotated[Whole, Parameter(help="Clients.")]
Active = Annotated[Whole | None, Parameter(help="Active clients of a round; all when left out.")]
Batch = Annotated[Whole, Parameter(help="Minibatch: samples averaged in one gradient.")]
Smoothness = Annotated[float, Parameter(help="Smoothness of every client.")]
Start = Annotated[float | None, Parameter(help="Mean of |grad f_i(x_0)|^2: heterogeneity at the start only.")]
Noise = Annotated[float, Parameter(help="Additive noise of one sample.")]
Chosen = Annotated[
    Assign,
    Parameter(
        help="A hyperparameter of a method, or a parameter of a bound in place of the prescribed one: name=value; "
        "may be repeated."
    ),
]
Own = Annotated[
    list[str] | None,
    Parameter(
        negative="", help="With --maximise: a relation that holds, such as '|x_0 - x_star|^2 <= 1'; may be repeated."
    ),
]
FailOnCase = Annotated[
    list[CaseWord] | None,
    Parameter(name="--fail-on", negative="", help="Exit with 1 on this verdict of a worst case; may be repeated."),
]
FailOnWorst = Annotated[
    list[CaseWord | Literal["refuted"]] | None,
    Parameter(
        name="--fail-on",
        negative="",
        help="Exit with 1 on this verdict of a worst case, or where a file's expect(...) is missed or its bound(...) "
        "exceeded (refuted); may be repeated.",
    ),
]


@answer_once
def worst(
    name: Annotated[str, names_of("methods", "bounds")],
    /,
    *,
    K: Steps | None = None,
    T: Rounds | None = None,
    N: Clients = 2,
    S: Active = None,
    b: Batch = 1,
    L: Smoothness = 1.0,
    mu: float | None = None,
    Delta: float | None = None,
    Delta_mean: float | None = None,
    distance: float | None = None,
    zeta: float | None = None,
    G_0: Start = None,
    sigma: Noise = 0.0,
    pl: float | None = None,
    everywhere: bool = False,
    measure: str = "average",
    assume: Own = None,
    maximise: str | None = None,
    set_: Chosen = None,
    schedule: str | None = None,
    certificate: CertificateFile = None,
    fail_on: FailOnWorst = None,
    json: Json = False,
) -> int:
    """Compute the worst case of a method over all problems of a class, from its own code.

    A semidefinite programme proposes the upper side and its proof over the rationals; the lower side is a function on
    which the engine measures what is said to be attained.  The verdict is exact (proved, and attained to 1e-6), proved
    (from above), numerical (a solver's number), infinite (with a function that shows it) or undecided (no number was
    found: exit code 2).  With S < N both sides are expectations over draws.

    Parameters
    ----------
    name
        A method, its hyperparameters from --set; or a bound, whose method runs at the prescribed parameters; or a file
        FILE.worst that states a worst case in own words, its given(...) from --set.
    maximise
        A left-hand side in own words, of a method's run: of f, grad(f, x), x[0] to x[T], x_0, x_T, x_star where mu >= 0
        (else f_star), y[0] to y[T] of a second run from a start y_0 of its own, dot(u, v), |u|^2; what is assumed is
        from --assume.
    mu
        Smallest curvature of every client: 0 is convex, L a parabola; -L when left out.  Of a minimax method: strong
        concavity in y.
    Delta
        Most that f(x_0) - f_star may be (minimax: Phi(x_0) - inf Phi); 1 unless Delta-mean or distance is given.
    Delta_mean
        Most that the mean of f_i(x_0) - inf f_i may be, in the place of Delta.
    distance
        Most that |x_0 - x_star| may be, for mu >= 0; minimax: |y_0 - y_star(x_0)|.
    zeta
        Heterogeneity at the server points.
    pl
        Polyak-Lojasiewicz: |grad f(x)|^2 >= 2 pl (f(x) - f_star) at the server points; an upper side.
    everywhere
        Let zeta hold at every x: the lower side is of clients that differ by tilts.
    measure
        Left-hand side: average, best, last, local, value, suboptimality, centre, distance or drift; average(0.25) has
        weights of growth 0.25.
    schedule
        A hyperparameter of a method, such as eta: find its values, round by round, whose worst case is least, from the
        value of --set on. A local optimum of a search; seconds up to T = 4.
    certificate
        A file for proofs of the upper sides over the rationals, which `boundcheck verify` checks: of f/L, so that
        L = 1, and of all clients.
    fail_on
        A verdict on which the exit code is 1.
    """
    from boundcheck.api.worst_cases import read_question
    from boundcheck.cli.shared.running import require_output
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.errors import require

    require_output(certificate, "--certificate")
    asked: dict[str, Any] = {"K": K, "T": T or None, "N": N, "S": S, "b": b, "L": L, "mu": mu, "sigma": sigma, "pl": pl}
    asked |= {"Delta": Delta, "Delta_mean": Delta_mean, "distance": distance, "zeta": zeta, "G_0": G_0}
    asked |= {"everywhere": everywhere, "measure": measure, "assume": assume, "maximise": maximise}
    asked |= {"set_": assignments(set_), "schedule": schedule}
    question = read_question(name, asked, option_of)
    if question.kind == "file":
        return print_files([question], certificate, fail_on, json=json)
    if question.kind == "expressions":
        found = [(about, stated.worst()) for about, stated in question.expressions()]
        return _print_stated(found, certificate, fail_on, json=json)
    require(certificate is None or S in (None, N), "--S", S, "left out with --certificate: proofs are of all clients")
    if question.kind == "schedule":
        return _print_schedule(question, certificate, fail_on, json=json)
    return _print_cases(question, certificate, fail_on, json=json)


def _print_cases(
    question: WorstQuestion, certificate: Path | None, fail_on: Sequence[str] | None, *, json: bool
) -> int:
    """Find and print the worst case of each horizon, and the law that they follow."""
    from boundcheck.cli.terminal.beforehand import say_beforehand
    from boundcheck.worst.cases.beside import bound_for_all_T
    from boundcheck.worst.cases.law import law_in_T

    ahead = question.forecast()
    say_beforehand("worst", ahead.seconds, megabytes=ahead.megabytes)
    made = list(question.cases())
    rows, found = [_row(method, case, question.run["b"]) for method, case in made], [case for _, case in made]
    values = {row["T"]: row["upper"] for row in rows}
    law = law_in_T(values)
    # A theorem's noise is that of one sample.
    speaks = len(values) >= _HORIZONS and (question.run["b"] == 1 or not question.given["sigma"])
    every = bound_for_all_T(*max(made, key=lambda pair: pair[1].T)) if speaks and (certificate or not json) else None
    if certificate is not None:
        proofs = [case.proof.certificate for case in found if case.proof is not None]
        write_proof(certificate, proofs + (every.certificates if every else []))
    if json:
        print_json(rows)
    else:
        given, run = question.given, question.run
        noise = ("standard_error",) if any(_is_random(case) for case in found) else ()
        columns = ("T", "upper", "lower", "attained", *noise, "gap", "verdict", "status", "seconds")
        active = f", S = {run['S']}" if run["S"] is not None else ""
        title = f"worst case of {question.name}, K = {run['K']}, N = {given['N']}{active}"
        print_table(title, columns, [[_text(row[c]) for c in columns] for row in rows])
        if every is not None or law is not None:
            entries = {"upper": law.text()} if law else {}
            print_card("law in T", entries | ({"proved": every.text(values)} if every else {}))
        for why in dict.fromkeys(row["why"] for row in rows if row["why"]):
            print_card("what is missing", {"why": why})
    if certificate is not None:
        _require_proofs(found)
    return _exit_code(found, fail_on)


def _print_schedule(
    question: WorstQuestion, certificate: Path | None, fail_on: Sequence[str] | None, *, json: bool
) -> int:
    """Find and print the steps with the least worst case."""
    found = question.best_schedule()
    case, before = found.case, found.constant
    if certificate is not None and case.proof is not None:
        write_proof(certificate, [case.proof.certificate])
    if json:
        print_json({**case.data(), "schedule": {question.schedule: found.steps}, "constant": before.upper})
    else:
        steps = ", ".join(f"{step:.6g}" for step in found.steps)
        entries = {"steps": f"{question.schedule} = {steps}", "upper": f"{case.upper:.9g}", "verdict": case.verdict}
        entries["constant steps"] = f"{question.schedule} = {found.start:.6g}: {before.upper:.9g}"
        print_card(f"least worst case of {question.name} over {case.T} rounds: a local optimum", entries)
    if certificate is not None:
        _require_proofs([case])
    return _exit_code([case], fail_on)


def print_files(
    questions: Iterable[WorstQuestion], certificate: Path | None, fail_on: Sequence[str] | None, *, json: bool
) -> int:
    """Print what files state, and what their worst cases say of the values that they claim."""
    decided = [_decide_file(question) for question in questions]
    code = _print_stated([(entries, case) for entries, case, _ in decided], certificate, fail_on, json=json)
    refuted = any(judgement.is_refuted for _, _, found in decided for judgement in found)
    return code or code_of(["refuted"] * refuted, fail_on)


def _decide_file(question: WorstQuestion) -> tuple[dict[str, str], StatedCase, list[ClaimedValue]]:
    """Return what a file states, with what is known of it, its worst case, and what that says of its claims."""
    stated = question.read()
    case = stated.worst()
    judged = stated.judge(case)
    entries = {"stated": stated.title, "source": stated.source}
    entries |= {"given": list_values(stated.parameters)}
    for kind in ("closed form", "known bound"):
        entries[kind] = ", ".join(judgement.text() for judgement in judged if judgement.kind == kind)
    if not question.chosen:
        entries |= {"another tool": ", ".join(f"{v:.9g}" for v in stated.peers)}
    return entries, case, judged


def _print_stated(
    found: list[tuple[dict[str, str], StatedCase]],
    certificate: Path | None,
    fail_on: Sequence[str] | None,
    *,
    json: bool,
) -> int:
    """Print stated cases, and keep their certificates.

    Raises
    ------
    NotApplicableError
        If a certificate was asked for and there is none.
    """
    from boundcheck.errors import NotApplicableError

    if certificate is not None:
        write_proof(certificate, [case.proof for _, case in found if case.proof is not None])
    if json:
        print_json([{**entries, **case.data()} for entries, case in found])
    for entries, case in () if json else found:
        values = {"upper": f"{case.upper:.9g}", "lower": f"{case.lower:.9g} (the solver's)", "verdict": case.verdict}
        values |= {"conditions": "sufficient: attained in some dimension" if case.is_attained else "necessary"}
        values |= {"proved": "" if case.proved is None else f"<= {case.upper!r} over Q", "status": case.status}
        shown = {key: value for key, value in (entries | values).items() if value}
        print_card(f"worst case of {case.name}", {**shown, "seconds": number(case.seconds)})
    if certificate is not None and any(case.proof is None for _, case in found):
        msg = "--certificate: a case is numerical, so that there is none"
        raise NotApplicableError(msg)
    return code_of((case.verdict for _, case in found), fail_on)


def _require_proofs(cases: Iterable[WorstCase]) -> None:
    """Say at which horizons there is nothing in the file of certificates."""
    from boundcheck.errors import NotApplicableError

    for case in cases:
        if case.proof is None:
            closed = "mu = L is decided in closed form" if case.is_proved else f"its verdict is {case.verdict}"
            msg = f"--certificate: at T = {case.T} there is none: {closed}"
            raise NotApplicableError(msg)


def _exit_code(cases: Iterable[WorstCase], fail_on: Sequence[str] | None) -> int:
    """Return 1 where a verdict is to fail.

    Raises
    ------
    NotApplicableError
        If no number was found, which nobody asked about.
    """
    from boundcheck.errors import NotApplicableError

    verdicts = {case.verdict: case for case in cases}
    if code := code_of(verdicts, fail_on):
        return code
    if (case := verdicts.get("undecided")) is not None:
        msg = f"worst case of {case.method} at T = {case.T}: undecided: {case.why}"
        raise NotApplicableError(msg)
    return 0


@answer_once
def tightness(
    bound: BoundName,
    /,
    *,
    K: Annotated[Whole | None, Parameter(help="Local steps a round; by default 2, or what the theorem says.")] = None,
    T: Rounds = (4,),  # type: ignore[assignment]
    N: Annotated[Whole | None, Parameter(help="Clients; by default 2, or what the theorem says.")] = None,
    b: Batch = 1,
    L: Smoothness = 1.0,
    zeta: float | None = None,
    G_0: Start = None,
    sigma: Noise = 0.0,
    mu: float | None = None,
    pl: float | None = None,
    distance: float | None = None,
    problem: str | None = None,
    set_: Chosen = None,
    fail_on: FailOnCase = None,
    json: Json = False,
) -> int:
    """Show where a bound's slack comes from, level by level, in one class at its own parameters.

    What the engine measures on the problem of the audit, the worst case over all problems of the class, the best
    theorem of one round, the right-hand side; the printed form stands beside.  Delta is 1, or
    Delta_mean where the bound is about that.

    Parameters
    ----------
    bound
        Name of a bound, or file.py:NAME.
    zeta
        Heterogeneity, where the bound needs it or G_0 (then the largest that zeta allows); 1 when both are left out.
    mu
        Of bounds about strongly convex functions; L/10 when left out.
    pl
        Of bounds about the Polyak-Lojasiewicz inequality; L/10 when left out.
    distance
        Of bounds about |x_0 - x_star|; 1 when left out.
    problem
        What is measured; a shipped problem or a file.
    fail_on
        A verdict of the worst case on which the exit code is 1: see `boundcheck worst`.
    """
    from boundcheck.api.theorems import tightness as ask
    from boundcheck.cli.terminal.named import bound_named
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.errors import require

    require(bool(T), "--T", "", "one number of rounds or several")
    bound = bound_named(bound)
    at: dict[str, Any] = {"K": K, "T": T, "N": N, "b": b, "set_": assignments(set_), "problem": problem}
    given: dict[str, Any] = {"L": L, "zeta": zeta, "G_0": G_0, "sigma": sigma, "mu": mu, "pl": pl, "distance": distance}
    found: Any = ask(bound, **at, **given)
    if json:
        print_json([{**made.found.data(), **made.data()} for made in found])
    else:
        columns = ("T", "level", "value", "factor", "rests on")
        rows = [row for made in found for row in _levels(made)]
        numbers = found[0].data()["class"].items()
        where = ", ".join(f"{k} = {number(v)}" for k, v in numbers if not isinstance(v, bool))
        print_table(f"{bound} in the class {where}, K = {found[0].found.case.K}", columns, rows)
    return _exit_code([made.found.case for made in found], fail_on)


def _levels(made: Waterfall) -> list[list[str]]:
    """Return the rows of one horizon, the right-hand side first."""
    T, failed = str(made.found.T), "; ".join(made.found.conditions)
    rows = []
    for stage in (made.printed, *reversed(made.stages)):
        said = [stage.source or stage.why]
        said += [f"a function has {number(stage.lower)}"] if stage.lower is not None else []
        said += [stage.why] if stage.source and stage.why else []
        said += [f"outside its conditions: {failed}"] if failed and stage.name == "right-hand side" else []
        rows.append([T, stage.name, number(stage.value), number(made.factors.get(stage.name)), "; ".join(said)])
    return rows


def _row(method: Method, case: WorstCase, b: int) -> dict[str, Any]:
    """Return a worst case as plain data, with the id of its proof and what the engine measures."""
    certificate = None if case.proof is None else case.proof.certificate["id"]
    return {**case.data(), "certificate": certificate, **_measure_attained(method, case, b)}


def _is_random(case: WorstCase) -> bool:
    """Return whether its left-hand side is an expectation, over noise or draws."""
    return bool(case.given.sigma) or case.S < case.given.N


def _measure_attained(method: Method, case: WorstCase, b: int) -> dict[str, float | None]:
    """Return what the engine measures on the function, and its standard error: a mean of runs where that is random."""
    from boundcheck.evidence.search.extremes import expected_on, measured_on

    if case.problem is None or case.lower is None:
        return {"attained": None, "standard_error": None}
    at: dict[str, Any] = {"K": case.K, "T": case.T, "measure": case.measure}
    if not _is_random(case):
        return {"attained": measured_on(case.problem, method, **at), "standard_error": None}
    mean, error = expected_on(case.problem, method, b=b, S=case.S, **at)
    return {"attained": mean, "standard_error": error}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.9g}"
    if value in CASE_WORDS:
        return mark(value)
    return "" if value is None else str(value)
