"""Look for an instance that violates a bound: over problems, their dials, sizes and legal parameters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boundcheck.bounds.given import bound_of
from boundcheck.errors import BoundcheckError, require, require_count
from boundcheck.evidence.checks.check import Procedure, examine
from boundcheck.evidence.checks.feasibility import exclusion_reason
from boundcheck.evidence.replays.script import replay
from boundcheck.evidence.search import effort
from boundcheck.evidence.search.effort import Effort
from boundcheck.evidence.search.extreme_candidates import candidates as extremes
from boundcheck.evidence.search.instances import (
    OwnSlipError,
    TrialInstance,
    beginnings,
    choices,
    late_runs,
    neighbour_of,
    own_slips,
)
from boundcheck.evidence.search.keeping import save_instance
from boundcheck.evidence.search.long_runs import REACHED, require_agreement
from boundcheck.evidence.search.long_runs import average as long_average
from boundcheck.evidence.search.long_runs import candidates as long_candidates
from boundcheck.evidence.search.refutation import Refutation
from boundcheck.evidence.search.shrinking import shrunk
from boundcheck.evidence.search.suitable import suitable
from boundcheck.evidence.trials.digits import apart
from boundcheck.evidence.trials.fitting import require_prescribed
from boundcheck.files.resources import cache_folder
from boundcheck.methods.outside import OutsideStateError
from boundcheck.problems import instance
from boundcheck.problems.catalog import parse_name
from boundcheck.problems.families import reads_data

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.statistics.verdict import Verdict
    from boundcheck.evidence.trials.trial import Trial
    from boundcheck.problems.base import Array
    from boundcheck.workers.progress import Progress

_BROAD = 0.35
"""Share of the work after which the search goes on from the best instances only."""
_ANY = 0.5
"""Share of the moves that start from any of the best, with randomness or without."""
_EXTREME = 0.25
"""Share of the work after which no more worst functions are made."""
_PRESCRIBED = 0.5
"""Share of the work up to which a violation at other parameters is set aside for one at the prescribed ones."""
_KEPT = 8
"""Instances that the search goes on from."""
_REPLICATES = 6
"""Runs of a noisy instance while searching."""
_SHRINKING = 64
"""Runs of a noisy instance while it is made smaller."""
_LONG = 0.2
"""Share of the work that runs beyond any simulation may take."""
_BETWEEN = 8
"""Short runs between two long ones."""
_SHORT, _LONGEST = 3000, 0.02
"""Work that any instance may take, and the share of what has been done that a longer one may.

Ratios often grow with T: without this a search spends all it has on a few long runs that are nearly the same.
"""
_ALIKE = 2
"""Most of them on one page of problems."""
_CONFIRM = 1024
"""Replicates at most of a confirmation."""
_FEWEST, _GRADIENTS = 16, 1 << 16
"""Replicates at least, and gradients at most, where each gradient is slow."""
_ATTAINED = 1 + 1e-6
"""Ratio up to which a bound is attained; what rounding made larger is not near it."""
_PATIENT = 6
"""Confirmations before an instance has to be above the bound in more runs to be confirmed."""
_CONFIRMING = 8
"""Runs of a few replicates that a confirmation counts for."""
_ROOM = 1e7
"""Most numbers of an initial minibatch."""
_SEARCHED = 2**40
"""Added to the seed while searching: what confirms an instance has not been looked at."""


class RankedInstance(NamedTuple):
    """An instance and its measured ratio while searching."""

    ratio: float
    instance: TrialInstance


def refute(
    bound: Bound | str,
    *,
    problem: str | None = None,
    budget: float = 60.0,
    work: float | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    keep: Path | None = None,
    progress: Progress | None = None,
) -> Refutation:
    """Look for an instance on which `bound` is false, and confirm it on replicates that the search has not seen.

    Instances are worst functions of the bound's class, where worst cases know it, and shipped problems
    with other dials, any N, K, T and S, and any parameters that the conditions allow.
    The k-th confirmation has the error rate alpha/2^k, so that a true bound is called violated by the whole search with
    probability at most alpha.  For a bound of order only, the largest ratio is looked for, and a lower limit of the
    hidden constant is confirmed once.  Where the assumptions are known to exclude each other, nothing is tried.
    A counterexample is made smaller and rounder, which is confirmed as well, before it is returned.

    Parameters
    ----------
    bound : Bound or str
        A bound or its name.
    problem : str, optional
        A problem, with or without a selection, or a family ``file.py:FAMILY``: only it and its dials are searched.
    budget : float
        Seconds at most, confirmations included; one that has begun is finished, and a counterexample is made smaller
        while they last.
    work : float, optional
        Local steps of searching, by default 12 000 for each second of the budget, which a core at rest does in about
        half of it.  Work decides what is looked at: where it ends the search, the outcome depends on the seed alone.
    alpha : float
        Error rate.
    seed : int
        Root seed of the search and of the confirmations.
    keep : Path, optional
        A ``.toml`` file for the problem of the instance that is returned.
    progress : callable, optional
        Called with (instances tried, instances tried, share of the work done).

    Raises
    ------
    InputError
        If a number or the problem is not legal, or the bound leaves a hyperparameter of its method open.
    Exception
        Whatever a problem of the user's own raises at all instances that were tried; at some, they are left out.
    """
    bound = bound_of(bound)
    require_prescribed(bound)
    require(0 < budget < float("inf"), "budget", budget, "a number of seconds > 0")
    work = effort.STEPS_A_SECOND * budget if work is None else work
    require(0 < work < float("inf"), "work", work, "a number of local steps > 0")
    require(0 < alpha < 1, "alpha", alpha, "a number in (0, 1)")
    require_count(seed, "seed", 0)
    require(keep is None or keep.suffix == ".toml", "keep", str(keep), "a file whose name ends in .toml")
    if empty := exclusion_reason(bound):
        return Refutation(bound.id, "not applicable", None, None, "", 0, 0, 0.0, stopped_by="conditions", why=empty)
    if problem is not None:
        instance(parse_name(problem)[0])
    search = _RefutationSearch(bound, Effort(work, budget), alpha, seed, progress, problem)
    try:
        found = search.run()
    except effort.OutOfTimeError:
        found = search.what_is_left()
    if keep is None or found.instance is None:
        return found
    at = save_instance(found.instance, keep, bound.id)
    return replace(found, instance=at, command=found.command.replace(found.instance.problem, at.problem))


class _RefutationSearch:
    """What a search knows so far."""

    def __init__(
        self,
        bound: Bound,
        spent: Effort,
        alpha: float,
        seed: int,
        progress: Progress | None,
        problem: str | None = None,
    ) -> None:
        self.bound, self.effort, self.alpha, self.seed, self.progress = bound, spent, alpha, seed, progress
        self.problem = problem
        self.rng = np.random.default_rng(seed)
        self.best: list[RankedInstance] = []
        self.random: list[RankedInstance] = []
        """The best of those whose runs differ."""
        self.drawn = False
        """Whether the runs of the last instance differ."""
        self.seen: set[TrialInstance] = set()
        self.made: set[tuple[str, int]] = set()
        """Problems on rows of data that were made, with their clients."""
        self.aside: Refutation | None = None
        """A violation at other parameters than the prescribed ones."""
        self.tried = self.refused = self.confirmations = 0
        self.reasons: Counter[str] = Counter()
        """Why instances were not legal."""
        self.slip: OwnSlipError | None = None
        """The first that a problem of the user's own raised."""

    def run(self) -> Refutation:
        """Search until something is confirmed or the budget is spent."""
        if self.problem is None and (found := self._long()):
            return found
        for candidate in self._candidates():
            if self.aside is not None and self.effort.past(_PRESCRIBED):
                break
            ratio = self._measure_ratio(candidate)
            if ratio is None:
                continue
            new = RankedInstance(ratio, candidate)
            self.best = _keep_best(self.best, new)
            if self.drawn:
                self.random = _keep_best(self.random, new)
            is_clear = ratio > 1 and self.bound.kind == "explicit" and self._stays(candidate)
            if is_clear and (found := self._confirm_violation(candidate)):
                if not found.moved:
                    return found
                self._set_aside(found)
        if self.slip is not None and not self.tried:
            # It is no matter of the values that the search chose.
            raise self.slip.__cause__ or self.slip
        return self.aside or self._nothing()

    def _set_aside(self, found: Refutation) -> None:
        """Keep a violation at other parameters than the prescribed ones, and go on at the prescribed ones."""
        self.aside = found
        legal = set(choices(self.bound))
        self.best, self.random = (
            [one for one in pool if legal.issuperset(name for name, _ in one.instance.overrides)]
            for pool in (self.best, self.random)
        )

    def _long(self) -> Refutation | None:
        """Return the refutation by a long run on equal parabolas, whose expectation is exact."""
        for at in long_candidates(self.bound):
            if self.effort.past(_LONG):
                break
            self.effort.spend(effort.LONG_RUN)
            try:
                trial = at.trial(self.bound)
                y = np.array([long_average(trial)])
            except OutsideStateError:
                raise
            except (BoundcheckError, ArithmeticError):
                self.refused += 1
                continue
            self.tried += 1
            verdict = trial.judge(y, alpha=self.alpha, exact=True)
            if verdict.verdict != "violated":
                continue
            if at.T <= REACHED:
                if found := self._confirm_violation(at):
                    return found
            elif self._agrees(trial):
                sides = apart(float(y.mean()), trial.evaluation.rhs)
                why = f"exact second moments of the method's linear rounds: {sides}"
                return self._outcome("violated", at, replace(verdict, reason=why), None)
        return None

    @staticmethod
    def _agrees(trial: Trial) -> bool:
        """Return whether a real run of as many rounds as can be reached says the same as the recursion."""
        try:
            require_agreement(trial)
        except (BoundcheckError, ArithmeticError):
            return False
        return True

    def _candidates(self) -> Iterator[TrialInstance]:
        named = [self.problem] if self.problem is not None else suitable(self.bound)
        rows = [name for name in named if reads_data(instance(parse_name(name)[0]).family)]
        # Rows of data are slow, and hardly ever the worst.
        plain = [name for name in named if name not in rows]
        worst = self._extremes() if self.problem is None else iter(())
        # A small search would be over after a few of them, and has the short ones instead.
        late = (run for run in late_runs(self.bound, plain) if work_of(run) <= _LONGEST * self.effort.work)
        plain_runs = _one_between(beginnings(self.bound, plain), late)
        broad = chain(worst, plain_runs, beginnings(self.bound, rows))
        while not self.effort.past(1.0):
            if self.progress:
                self.progress(self.tried, self.tried + 1, self.effort.share)
            new = next(broad, None) if not self.effort.past(_BROAD) or not self.best else None
            if new is None:
                if not self.best:
                    return
                new = neighbour_of(self._parent(), self.bound, self.rng, prescribed=self.aside is not None)
            # A neighbour that is left out costs too, or a search of one point would not end.
            self.effort.spend(1)
            most = min(self.effort.work, max(_SHORT, _LONGEST * self.effort.done))
            if new not in self.seen and work_of(new) < most:
                self.seen.add(new)
                yield new

    def _extremes(self) -> Iterator[TrialInstance]:
        """Yield worst functions of the bound's class while a share of the work lasts."""
        try:
            yield from extremes(self.bound, cache_folder("extremal"), self.effort, _EXTREME)
        # Without the solver, or a folder to keep them in, the search goes without them.
        except BoundcheckError:
            return

    def _parent(self) -> TrialInstance:
        """Return one of the best, the better the more often; every other time of those with randomness."""
        # A theorem may be attained without noise: its noise terms are tried on the noisy ones.
        pool = self.best if self.rng.random() < _ANY or not self.random else self.random
        rank = min(int(self.rng.geometric(0.35)) - 1, len(pool) - 1)
        return pool[rank].instance

    def _measure_ratio(self, at: TrialInstance) -> float | None:
        """Return measured / right-hand side in a few runs; None where the bound does not speak."""
        if (at.problem, at.N) not in self.made and reads_data(instance(page(at)).family):
            self.made.add((at.problem, at.N))
            self.effort.spend(effort.ROWS)
        try:
            trial, y = self._run(at, _REPLICATES)
        except OutsideStateError:
            # No instance says anything about such a method.
            raise
        except (BoundcheckError, ArithmeticError, MemoryError) as error:
            self.refused += 1
            self.slip = self.slip or (error if isinstance(error, OwnSlipError) else None)
            self.reasons[str(error).replace(at.problem, "PROBLEM")] += 1
            self.effort.spend(effort.REFUSED)
            return None
        self.effort.spend(work_of(at))
        self.tried += 1
        self.drawn = trial.is_random
        return self._ratio(trial, y)

    def _run(self, at: TrialInstance, replicates: int) -> tuple[Trial, Array]:
        """Return the trial of an instance and its left-hand sides in a few runs that confirm nothing."""
        seed = self.seed + _SEARCHED
        with own_slips(at.problem):
            trial = at.trial_as_measured(self.bound, seed, replicates)
            numbers = trial.evaluation.values.get("B", 1.0) * trial.setting.N * trial.problem.d
            require(numbers <= _ROOM, "B N d", numbers, f"at most {_ROOM:.0e}")
            return trial, trial.measure(seed, 0, replicates if trial.is_random else 1)

    @staticmethod
    def _ratio(trial: Trial, y: Array) -> float | None:
        rhs = trial.evaluation.rhs
        # A run that diverges within the conditions has an infinite ratio: the confirmation asks whether it was the run.
        seen = trial.estimate(y)
        if rhs > 0:
            return seen / rhs
        return np.inf if seen > trial.rounding else None

    def _stays(self, at: TrialInstance) -> bool:
        """Return whether more runs of an instance with randomness are above the bound by their standard error, too.

        A theorem that is true with equality is met by chance in every other instance; to confirm each takes long, so
        that this is asked after a few have failed.
        """
        if not self.drawn or self.confirmations < _PATIENT:
            return True
        self.effort.spend(work_of(at))
        try:
            trial, y = self._run(at, _affordable(at, _SHRINKING))
        except (BoundcheckError, ArithmeticError, MemoryError):
            return False
        return trial.is_above(y)

    def _confirm_violation(self, at: TrialInstance) -> Refutation | None:
        """Return the refutation if the instance violates the bound on fresh replicates too."""
        self.confirmations += 1
        procedure = Procedure(self.alpha / 2**self.confirmations, budget=_affordable(at, _CONFIRM), seed=self.seed)
        self.effort.spend(_CONFIRMING * work_of(at))
        verdict = self._examine_instance(at, procedure)
        if verdict is None or verdict.verdict != "violated":
            if self.drawn or verdict is None or verdict.ratio is None or not verdict.ratio <= _ATTAINED:
                # What chance made large is no place to go on from; where rounding alone did, the bound is attained.
                self.best = [tried for tried in self.best if tried.instance != at]
                self.random = [tried for tried in self.random if tried.instance != at]
            return None
        return self._smallest(at, verdict, procedure)

    def _smallest(self, at: TrialInstance, verdict: Verdict, procedure: Procedure) -> Refutation:
        """Return the refutation by the smallest and roundest instance that is confirmed too."""

        def measure(smaller: TrialInstance) -> float | None:
            try:
                return self._ratio(*self._run(smaller, _SHRINKING))
            except (BoundcheckError, ArithmeticError, MemoryError):
                return None

        # Where the right-hand side is 0, nothing is a multiple of it.
        small = shrunk(at, np.inf if verdict.ratio is None else verdict.ratio, measure, lambda: self.effort.late)
        if small != at:
            self.confirmations += 1
            again = procedure._replace(alpha=self.alpha / 2**self.confirmations)
            found = self._examine_instance(small, again)
            if found is not None and found.verdict == "violated":
                at, verdict, procedure = small, found, again
        return self._outcome("violated", at, verdict, procedure)

    def _examine_instance(self, at: TrialInstance, procedure: Procedure) -> Verdict | None:
        try:
            problem = at.load()
            with own_slips(at.problem):
                return examine(self.bound, problem, at.setting(problem), procedure, dict(at.overrides)).verdict
        except (BoundcheckError, MemoryError):
            return None

    def _nothing(self) -> Refutation:
        """Return the outcome of a search that refuted nothing: the largest ratio, measured on fresh replicates."""
        if not self.best:
            return self._outcome("not contradicted" if self.tried else "not applicable", None, None, None)
        best = self.best[0]
        procedure = Procedure(self.alpha, budget=_affordable(best.instance, _CONFIRM), seed=self.seed)
        word = "order only" if self.bound.kind == "order" else "not contradicted"
        return self._outcome(
            word, best.instance, self._examine_instance(best.instance, procedure), procedure, best.ratio
        )

    def what_is_left(self) -> Refutation:
        """Return what is known of a search that was ended from outside; nothing more is run."""
        if self.aside is not None:
            return self.aside
        if not self.best:
            return self._outcome("not contradicted" if self.tried else "not applicable", None, None, None)
        best = self.best[0]
        word = "order only" if self.bound.kind == "order" else "not contradicted"
        return self._outcome(word, best.instance, None, None, best.ratio)

    def _outcome(
        self,
        word: str,
        at: TrialInstance | None,
        verdict: Verdict | None,
        procedure: Procedure | None,
        ratio: float | None = None,
    ) -> Refutation:
        more = f"--alpha {procedure.alpha:g} --budget {procedure.budget}" if procedure else ""
        command = at.command(self.bound.id, self.seed, more) if at else ""
        violated = word == "violated" and at is not None and verdict is not None
        return Refutation(
            bound=self.bound.id,
            verdict=word,
            ratio=verdict.ratio if verdict is not None and verdict.ratio is not None else ratio,
            instance=at,
            command=command,
            tried=self.tried,
            refused=self.refused,
            seconds=self.effort.elapsed_seconds,
            work=self.effort.done,
            stopped_by=self._stopped_by(word),
            confirmed=verdict,
            why=self._why() if at is None else "",
            factors=growth(verdict) if violated and verdict is not None else {},
            # A run longer than can be reached was never simulated: its moments are exact.
            replay=self._replay(at, command) if violated and at and at.T <= REACHED else "",
        )

    def _why(self) -> str:
        """Return the commonest reason why an instance was not legal, or that none was reached."""
        reasons = self.reasons.most_common(1)
        if reasons:
            return f"{reasons[0][0]} (so {reasons[0][1]} of {self.refused} instances)"
        return "" if self.tried else "the work or the time that was given ended before an instance had run: give more"

    def _replay(self, at: TrialInstance, command: str) -> str:
        try:
            return replay(at.trial_as_measured(self.bound, self.seed, _REPLICATES), self.seed, command)
        except (BoundcheckError, ArithmeticError, MemoryError):
            return ""

    def _stopped_by(self, word: str) -> str:
        if word == "violated":
            return "violation"
        if self.effort.share >= 1:
            return "work"
        return "seconds" if self.effort.late else "conditions"


def growth(verdict: Verdict) -> dict[str, float]:
    """Return by which factor a term alone has to grow for the right-hand side to reach what was measured."""
    measured, rhs = verdict.measured, verdict.rhs
    if measured is None or rhs is None or not np.isfinite(measured):
        return {}
    return {name: float(1 + (measured - rhs) / value) for name, value in verdict.terms.items() if value > 0}


def _keep_best(ranked: list[RankedInstance], new: RankedInstance) -> list[RankedInstance]:
    """Return the best with a new one among them, at most two on one page."""
    kept: list[RankedInstance] = []
    for tried in sorted([*ranked, new], key=lambda one: -one.ratio):
        alike = sum(page(tried.instance) == page(other.instance) for other in kept)
        if alike < _ALIKE and len(kept) < _KEPT:
            kept.append(tried)
    return kept


def work_of(at: TrialInstance) -> int:
    """Return the work of an instance."""
    return effort.run(at.K, at.T) + (effort.GRADIENT * at.N * at.K * at.T if _is_slow(at) else 0)


def _affordable(at: TrialInstance, replicates: int) -> int:
    """Return so many replicates, fewer on a worst function where gradients are many."""
    return min(replicates, max(_FEWEST, _GRADIENTS // (at.N * at.K * at.T))) if _is_slow(at) else replicates


def _is_slow(at: TrialInstance) -> bool:
    """Return whether the problem is a worst function, which looks for the pieces that touch at every gradient."""
    return instance(page(at)).family == "extremal"


def page(at: TrialInstance) -> str:
    """Return the page of an instance's problem."""
    return parse_name(at.problem)[0]


def _one_between(many: Iterator[TrialInstance], few: Iterator[TrialInstance]) -> Iterator[TrialInstance]:
    """Yield both, one of the few, which are long, after every `_BETWEEN` of the many: a small search has both kinds."""
    while some := list(islice(many, _BETWEEN)):
        yield from some
        yield from islice(few, 1)
    yield from few
