"""Ask every question of one theorem, within two minutes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.bounds.given import bound_of
from boundcheck.bounds.units import findings
from boundcheck.errors import require, require_count
from boundcheck.evidence.checks.feasibility import exclusion_reason, feasibility
from boundcheck.evidence.search.refute import refute
from boundcheck.evidence.trials.fitting import require_prescribed, units_of
from boundcheck.reviews import questions
from boundcheck.reviews.answers import Review
from boundcheck.reviews.places import choose_places
from boundcheck.verdicts.status import Statement, of_bound, of_runs

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.search.refutation import Refutation
    from boundcheck.evidence.statistics.verdict import Verdict

    Progress = Callable[[int, int, float], None]

SECONDS = 110.0
"""Of a review at most, what it takes to start and to print left over."""
_PLACES = 5
_WORK = 360_000
"""Local steps of the search: on a core at rest a quarter of a minute."""
_LEAST = 10.0
"""Seconds that a search has in any case."""
_SHARES = (0.02, 0.08, 0.15, 0.25, 0.9)
"""Of the time that is over after each question but the last."""
_SOLVER = 10.0
"""Seconds for the question whether the conditions can be met."""


def review(
    bound: Bound | str,
    *,
    proof: str | Path | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    work: float = _WORK,
    progress: Progress | None = None,
) -> Review:
    """Ask of a theorem what a reviewer asks: `boundcheck.review` has the questions, the parameters and the errors.

    The outcome depends on the seed alone, unless the seconds run out first, which `Review.unasked` says.
    """
    began = time.monotonic()
    bound = bound_of(bound)
    require_prescribed(bound)
    require(0 < alpha < 1, "alpha", alpha, "a number in (0, 1)")
    require(0 < work < float("inf"), "work", work, "a number of local steps > 0")
    require_count(seed, "seed", 0)
    path = None if proof is None else Path(proof)
    require(
        path is None or (path.suffix == ".toml" and path.is_file()), "proof", str(proof), "a .toml file that exists"
    )

    def report_answers(count: int) -> None:
        if progress is not None:
            progress(count, len(_SHARES) + 1, (*_SHARES, 1.0)[count - 1])

    # What is cheap and may make the rest pointless comes first; the search has what is left of the time.
    proved = questions.answer_proof(bound, path)
    can_be_met = feasibility(bound, timeout=_SOLVER)
    report_answers(1)
    choice = choose_places(bound, _PLACES)
    horizon = questions.find_horizon(bound, choice.places)
    report_answers(2)
    measured = questions.measure_places(bound, choice.places, alpha=alpha, seed=seed)
    report_answers(3)
    rate = questions.see_rate(bound, choice.places, seed=seed)
    report_answers(4)
    search = _search(bound, began, alpha, seed, work, progress)
    report_answers(5)
    worst = questions.find_worst_case(bound)
    report_answers(6)
    return Review(
        bound=bound,
        status=_status(bound, measured, search),
        feasible=can_be_met.feasible,
        feasible_because=can_be_met.detail,
        example=can_be_met.example,
        units=tuple(f"{f.place}: {f.reason}" for f in findings(bound, units_of(bound))),
        horizon=horizon,
        spoken_of=choice.spoken_of,
        looked_at=choice.looked_at,
        silent_because=choice.why_not,
        measured=measured,
        search=search,
        worst=worst,
        rate=rate,
        proof=proved,
        unasked=questions.list_unasked(bound, choice.places, search, proved),
        seconds=time.monotonic() - began,
    )


def _search(
    bound: Bound, began: float, alpha: float, seed: int, work: float, progress: Progress | None
) -> Refutation | None:
    """Return what a search for a violation finds, None where the assumptions exclude each other."""
    if exclusion_reason(bound):
        return None
    budget = max(_LEAST, 0.8 * (SECONDS - (time.monotonic() - began)))
    low, high = _SHARES[3], _SHARES[4]

    def show_share(_done: int, _all: int, share: float) -> None:
        if progress is not None:
            progress(4, len(_SHARES) + 1, low + (high - low) * min(share, 1.0))

    return refute(bound, budget=budget, work=work, alpha=alpha, seed=seed, progress=show_share)


def _status(bound: Bound, measured: tuple[Verdict, ...], search: Refutation | None) -> Statement:
    """Return the shipped status of a registered statement, else that of these runs; a violation here comes first."""
    ran = {f"run:{v.problem}": v for v in measured}
    if search is not None and search.confirmed is not None and search.instance is not None:
        ran[f"search:{search.instance.problem}"] = search.confirmed
    elsewhere = {ground for ground, v in ran.items() if v.moved}
    here, known = of_runs({ground: v.verdict for ground, v in ran.items()}, elsewhere), of_bound(bound.id)
    if here.status.startswith("false") and known.status != "false as printed":
        return here
    return known if known.status != "open" or known.because else here
