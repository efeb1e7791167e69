"""Ask every question of one theorem, within two minutes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.bounds.given import bound_of
from boundcheck.bounds.units import findings
from boundcheck.errors import require, require_count
from boundcheck.evidence.checks.feasibility import Feasibility, exclusion_reason, feasibility
from boundcheck.evidence.search.refute import refute
from boundcheck.evidence.trials.fitting import require_prescribed, units_of
from boundcheck.reviews import questions
from boundcheck.reviews.answers import InformativeHorizon, ProofAnswer, RateSeen, Review, WorstOfClass
from boundcheck.reviews.clock import TimeBudget
from boundcheck.reviews.places import Choice, choose_places
from boundcheck.verdicts.status import StatusRecord, of_bound, of_runs

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.search.refutation import Refutation
    from boundcheck.evidence.statistics.verdict import Verdict

    Progress = Callable[[int, int, float], None]

SECONDS = 120.0
"""Of the wall that a review may take, where nobody says otherwise."""
_PLACES = 5
_WORK = 360_000
"""Local steps of the search: on a core at rest a quarter of a minute."""
_SHARES = {"proof": 0.15, "conditions": 0.2, "places": 0.35, "measured": 0.5, "rate": 0.6, "worst": 0.7, "search": 1.0}
"""Of the seconds that are over when a question has to end; what one leaves is the next one's."""
_SOLVER = 10.0
"""Seconds for the question whether the conditions can be met."""
_LOOKING = 0.25
"""Share of the seconds after which no other problem is looked at, if there is one."""
_SEARCHING = 0.8
"""Share of what is left after which a search begins nothing: what it has begun may then end."""


def review(
    bound: Bound | str,
    *,
    proof: str | Path | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    work: float = _WORK,
    budget: float = SECONDS,
    progress: Progress | None = None,
) -> Review:
    """Ask of a theorem what a reviewer asks: `boundcheck.review` has the questions, the parameters and the errors.

    The outcome depends on the seed alone, unless the seconds run out first, which `Review.unasked` says.
    """
    clock = TimeBudget(budget)
    bound = bound_of(bound)
    require_prescribed(bound)
    require(0 < alpha < 1, "alpha", alpha, "a number in (0, 1)")
    require(0 < work < float("inf"), "work", work, "a number of local steps > 0")
    require(0 < budget < float("inf"), "budget", budget, "a number of seconds > 0")
    require_count(seed, "seed", 0)
    path = None if proof is None else Path(proof)
    require(
        path is None or (path.suffix == ".toml" and path.is_file()), "proof", str(proof), "a .toml file that exists"
    )
    answered = list(_SHARES)

    def report_answer(question: str) -> None:
        if progress is not None:
            progress(answered.index(question) + 1, len(_SHARES), _SHARES[question])

    # What is cheap and may make the rest pointless comes first; the search has what is left of the seconds.
    proved = ProofAnswer(questions.LEFT)
    with clock.question("the claim file of its proof", _SHARES["proof"]):
        proved = questions.answer_proof(bound, path)
    can_be_met = Feasibility(bound.id, {}, questions.LEFT, None)
    with clock.question("whether the conditions can be met", _SHARES["conditions"]):
        can_be_met = feasibility(bound, timeout=min(_SOLVER, 0.1 * clock.seconds))
    report_answer("conditions")
    choice = Choice((), 0, 0, questions.LEFT)
    with clock.question("problems that meet its assumptions", _SHARES["places"]):
        choice = choose_places(bound, _PLACES, lambda: clock.left_until(_LOOKING) == 0)
    clock.cut += ["some of the problems on which it may be measured"] if choice.left_some else []
    horizon = InformativeHorizon(None, "", questions.LEFT)
    with clock.question("from which T on it says something", _SHARES["places"]):
        horizon = questions.find_horizon(bound, choice.places)
    report_answer("places")
    measured: list[Verdict] = []
    with clock.question("some of the runs at the places where it is measured", _SHARES["measured"]):
        for verdict in questions.measure_places(bound, choice.places, alpha=alpha, seed=seed):
            measured.append(verdict)  # noqa: PERF402 (what was measured before the seconds were over stays)
    report_answer("measured")
    rate = RateSeen(questions.LEFT)
    with clock.question("its rate", _SHARES["rate"]):
        rate = questions.see_rate(bound, questions.nearest_first(choice.places, measured), seed=seed)
    report_answer("rate")
    worst = WorstOfClass(None, why=questions.LEFT)
    with clock.question("the worst case of its class", _SHARES["worst"]):
        worst = questions.find_worst_case(bound)
    report_answer("worst")
    search = None
    with clock.question(questions.SEARCHED, _SHARES["search"]):
        search = _search(bound, clock, alpha, seed, work, progress)
    return Review(
        bound=bound,
        status=_status(bound, tuple(measured), search, proved.words),
        feasible=can_be_met.feasible,
        feasible_because=can_be_met.detail,
        example=can_be_met.example,
        units=tuple(f"{f.place}: {f.reason}" for f in findings(bound, units_of(bound))),
        horizon=horizon,
        spoken_of=choice.spoken_of,
        looked_at=choice.looked_at,
        silent_because=choice.why_not,
        measured=tuple(measured),
        search=search,
        worst=worst,
        rate=rate,
        proof=proved,
        unasked=questions.list_unasked(bound, choice.places, search, proved, clock.cut),
        seconds=clock.elapsed_seconds,
        cut=tuple(clock.cut),
    )


def _search(
    bound: Bound, clock: TimeBudget, alpha: float, seed: int, work: float, progress: Progress | None
) -> Refutation | None:
    """Return what a search for a violation finds, None where the assumptions exclude each other."""
    if exclusion_reason(bound):
        return None
    low = _SHARES["worst"]

    def show_share(_done: int, _all: int, share: float) -> None:
        if progress is not None:
            progress(len(_SHARES) - 1, len(_SHARES), low + (1 - low) * min(share, 1.0))

    seconds = max(_SEARCHING * clock.left_until(1.0), 0.01)
    return refute(bound, budget=seconds, work=work, alpha=alpha, seed=seed, progress=show_share)


def _status(bound: Bound, measured: tuple[Verdict, ...], search: Refutation | None, proof: str = "") -> StatusRecord:
    """Return the shipped status, else that of a certificate or of these runs; a violation here comes first."""
    ran = {f"run:{v.problem}": v for v in measured}
    if search is not None and search.confirmed is not None and search.instance is not None:
        ran[f"search:{search.instance.problem}"] = search.confirmed
    elsewhere = {ground for ground, v in ran.items() if v.moved}
    here, known = of_runs({ground: v.verdict for ground, v in ran.items()}, elsewhere), of_bound(bound.id)
    if here.status.startswith("false") and known.status != "false as printed":
        return here
    if proof.startswith(questions.CERTIFIED):
        return StatusRecord("proved", (f"certificate:{bound.id}",))
    return known if known.status != "open" or known.because else here
