"""The command `rate`: which printed rates are attained, how they were seen, and from when on a bound says anything."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from boundcheck.cli.terminal.options import Assign, BoundName, Horizons, Json, Whole
from boundcheck.cli.terminal.output import number, print_card, print_json, print_table, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.rates import Attained, Headline, Slope

Flag = Annotated[bool, Parameter(negative="")]
File = Annotated[Path | None, Parameter(negative="")]
_COLUMNS = ("rate", "word", "printed", "second half", "average", "bound", "control", "ratio", "statement")
_FIRST = ("word", "printed", "second half", "ratio")
"""Columns that stay longest on a narrow terminal."""


def rate(
    *names: BoundName,
    run: Flag = False,
    check: File = None,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"], negative="")] = None,
    letter: str | None = None,
    grid: Horizons | None = None,
    declare: Annotated[list[str] | None, Parameter(negative="")] = None,
    set_: Assign = None,
    problem: str | None = None,
    N: Whole = 1,
    S: Whole | None = None,
    K: Whole = 1,
    T: Whole = 100_000,
    horizon: Flag = False,
    json: Json = False,
) -> int:
    """Print which printed rates are attained, ranked by guaranteed over attained power, each beside its control.

    With a letter and a grid, any bound's rate is looked for on a family with a slowly falling gradient. With --horizon
    it says from which T on a bound beats the trivial one, and what comes out beyond.

    Parameters
    ----------
    names
        Headline rates, or methods, papers and bounds whose headline rates are meant; all when left out.
    run
        Measure anew instead of printing what was measured when this version was made: seconds to two minutes a rate.
    check
        A certificate to check again: the words from the readings, the readings by running; exit 1 if something differs.
    output
        Where to write the certificate of the rates that are shown (.json).
    letter
        With a grid: T, N, S, K, NK (both, the axis is N K) or rounds (T with K = sqrt(T)/N).
    grid
        Three or more values of the letter.
    declare
        Constants that the class allows and the instance does not have, such as sigma=0.25; may be repeated.
    set_
        Letters of a run and free parameters of the bound, such as alpha_div=8; may be repeated.
    problem
        The family; by default the tail, for a minimax bound its saddle. With --horizon any problem.
    N
        Clients.
    S
        Active clients; all by default.
    K
        Local steps a round.
    T
        Rounds, where the letter is another.
    horizon
        Print the horizon of one bound on --problem, and the verdict beyond it where minutes get there.
    """
    from boundcheck.api.rates import chosen_rates
    from boundcheck.cli.shared.running import require_output
    from boundcheck.errors import require
    from boundcheck.rates import shipped_rates

    require_output(output, "--output", ".json")
    if check is not None:
        return _check_again(check)
    if horizon:
        require(len(names) == 1, "names", list(names), "one bound beside --horizon")
        return _print_horizon(names[0], problem, N=N, K=K, S=S, json=json)
    if letter is not None or grid is not None:
        asked = [_own(names, letter, grid, declare, set_, problem, N=N, S=S, K=K, T=T)]
        found = _measure(asked)
    else:
        asked = chosen_rates(names)
        found = _measure(asked) if run else [shipped_rates()[one.id] for one in asked]
    if output is not None:
        from boundcheck.rates import write_certificate

        write_certificate(output, found)
    if json:
        print_json([_row_data(one) for one in rank_rates(found)])
        return 0
    _print_rates(found, details=len(found) == 1)
    return 0


def _own(
    names: Sequence[str],
    letter: str | None,
    grid: list[int] | None,
    declare: list[str] | None,
    set_: list[str] | None,
    problem: str | None,
    *,
    N: int,
    S: int | None,
    K: int,
    T: int,
) -> Headline:
    """Return the rate of one bound in one letter, as the options ask for it."""
    from boundcheck.cli.terminal.named import bound_named
    from boundcheck.cli.terminal.settings import assignments
    from boundcheck.errors import require
    from boundcheck.rates import headline_of

    require(len(names) == 1, "names", list(names), "one bound beside --letter and --grid")
    require(letter is not None and grid is not None, "--letter, --grid", (letter, grid), "both together")
    return headline_of(
        bound_named(names[0]),
        str(letter),
        tuple(grid or ()),
        problem=problem,
        declared=assignments(declare),
        overrides=assignments(set_),
        N=N,
        S=S,
        K=K,
        T=T,
    )


def _measure(asked: Sequence[Headline]) -> list[Attained]:
    from boundcheck.api.rates import measured_rates
    from boundcheck.cli.terminal.progress import work

    with work("rates") as progress:
        return measured_rates(asked, progress)


def rank_rates(found: Sequence[Attained]) -> list[Attained]:
    """Return the rates by guaranteed over attained power, the largest first, those without one last."""
    return sorted(found, key=lambda one: -(one.ratio or 0.0))


def _print_rates(found: Sequence[Attained], *, details: bool) -> None:
    from boundcheck.rates import WORDS

    many = "1 rate" if len(found) == 1 else f"{len(found)} rates, by guaranteed over attained power"
    title = f"{many}; the second half of a run decides"
    print_table(title, _COLUMNS, [table_row(one) for one in rank_rates(found)], first=_FIRST)
    for one in rank_rates(found):
        if one.note:
            say(f"{one.headline.id}: {one.note}")
    for word in dict.fromkeys(one.word for one in found):
        say(f"{word}: {WORDS[word]}")
    if details:
        (one,) = found
        say(f"control: {one.headline.control.words}")
        print_points(one)


def print_points(found: Attained) -> None:
    """Print the points of a grid: settings, readings, the right-hand side and the control."""
    columns = ("N", "S", "K", "T", "average", "second half", "right-hand side", "control")
    rows = [
        [
            f"{p.N}",
            f"{p.S}",
            f"{p.K}",
            f"{p.T:,}",
            *map(number, (_mean(p.average), _mean(p.late), p.rhs, _mean(p.control))),
        ]
        for p in found.points
    ]
    where = found.headline
    declared = "".join(f", {k} = {v:g} declared" for k, v in where.declared.items())
    title = f"{where.bound or where.schedule} on {where.problem}{declared}: {where.metric}"
    print_table(title, columns, rows, first=("T", "second half"))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def table_row(one: Attained) -> list[str]:
    """Return what the table shows of a rate."""
    axis = one.headline.letter
    ratio = "-" if one.ratio is None else f"{one.ratio:.3f}"
    control = one.control_slope and f"{one.control_slope.value:+.3f} for {_power(one.headline.control.power)}"
    return [
        one.headline.id,
        one.word,
        f"{axis}^({_power(one.printed)})",
        _slope(one.late),
        _slope(one.average),
        "-" if one.bound_slope is None else f"{one.bound_slope:+.3f}",
        control or "-",
        ratio,
        one.status or "-",
    ]


def _power(value: float) -> str:
    return str(Fraction(value).limit_denominator(12))


def _slope(found: Slope | None) -> str:
    if found is None:
        return "-"
    return f"{found.value:+.3f}" + ("" if found.low == found.high else f" [{found.low:+.3f}, {found.high:+.3f}]")


def _row_data(one: Attained) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        **asdict(one),
        "headline": asdict(one.headline),
        "ratio": one.ratio,
        "status": one.status,
        "method": one.headline.method,
    }


def _check_again(path: Path) -> int:
    from boundcheck.cli.terminal.progress import work
    from boundcheck.files.plain import text_of_file
    from boundcheck.rates import read_certificate, recheck

    code = 0
    certificate = read_certificate(text_of_file(path), str(path))
    with work("rates") as progress:
        for k, one in enumerate(certificate):
            lines = recheck(one)
            code |= bool(lines)
            say("\n".join(lines) if lines else f"{one.headline.id}: {one.word}, stands")
            if progress:
                progress(k + 1, len(certificate), (k + 1) / len(certificate))
    return int(code)


def _print_horizon(name: str, problem: str | None, *, N: int, K: int, S: int | None, json: bool) -> int:
    from dataclasses import asdict

    from boundcheck.bounds import BOUNDS
    from boundcheck.cli.terminal.named import bound_named, problem_named
    from boundcheck.errors import NotApplicableError
    from boundcheck.evidence.trials.examples import example_of
    from boundcheck.problems import load_problem
    from boundcheck.rates import check_beyond
    from boundcheck.rates import horizon as horizon_of

    bound = BOUNDS[bound_named(name)]
    made = load_problem(problem_named(problem or example_of(bound)), N=N)
    found = horizon_of(bound, made, K=K, S=S)
    beyond, said = None, found.words
    try:
        _, beyond = check_beyond(bound, made, K=K, S=S)
    except NotApplicableError as error:
        said = str(error)
    if json:
        print_json({**asdict(found), "words": found.words, "beyond": None if beyond is None else asdict(beyond)})
        return 0
    entries = {"horizon": found.words, "on": f"{found.problem}, N = {found.N}, S = {found.S}, K = {found.K}"}
    if beyond is None:
        entries["beyond"] = said
    else:
        measured = f"measured {number(beyond.measured)} <= {number(beyond.rhs)}" if beyond.rhs else ""
        entries["beyond"] = f"T = {2 * (found.binds_from or 0):,}: {beyond.verdict}, {measured}"
    print_card(found.bound, entries)
    return 0
