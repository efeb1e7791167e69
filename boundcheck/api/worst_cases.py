"""A question about worst cases, as `boundcheck.worst` and the command of that name read it, and its answers.

The arguments ask one of four things (`WorstQuestion.kind`); `read_question` says which, and refuses what does not go
together in the words of whoever asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.api.forecasts import WorkForecast, forecast_from_shorter
from boundcheck.api.names import horizons, matching_name, method_object, wholes
from boundcheck.errors import InputError, UnknownNameError, require
from boundcheck.files.own import HINT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from boundcheck.methods.base import Method
    from boundcheck.worst import BestSchedule, WorstCase
    from boundcheck.worst.stated.language import StatedFile


@dataclass(frozen=True)
class WorstQuestion:
    """What is asked of a method, a theorem or a file."""

    kind: Literal["file", "expressions", "schedule", "class"]
    """A stated case; a left-hand side in own words; the best steps over a class; the worst case over a class."""
    name: Method | str
    chosen: dict[str, Any]
    """Hyperparameters, or parameters of a theorem or file."""
    T: tuple[int, ...] = ()
    """Horizons."""
    run: dict[str, Any] = field(default_factory=dict)
    """K, S, b and the measure."""
    given: dict[str, Any] = field(default_factory=dict)
    """The class: N and its constants."""
    own: dict[str, Any] = field(default_factory=dict)
    """Of own expressions: what is maximised, what is assumed, and L, mu, N, K."""
    schedule: str = ""
    """The hyperparameter whose values are looked for."""

    def read(self) -> StatedFile:
        """Return what a file states."""
        from boundcheck.worst.stated.language import read_file

        return read_file(str(self.name), **self.chosen)

    def expressions(self) -> Iterator[tuple[dict[str, str], StatedFile]]:
        """Yield a problem in own expressions a horizon, after what is stated."""
        from boundcheck.worst.stated.language import read_text
        from boundcheck.worst.stated.methods import text_of_run

        own = self.own
        for rounds in self.T:
            text = text_of_run(str(self.name), T=rounds, chosen=self.chosen, **own)
            about = {"stated": f"{own['maximise']} of {self.name}, K = {own['K']}, T = {rounds}, N = {own['N']}"}
            about["assumed"] = "; ".join(own["assume"])
            where = f"worst case of {self.name} in own expressions"
            yield about, read_text(text, f"{self.name}/T={rounds}", where=where)

    def best_schedule(self) -> BestSchedule:
        """Return the steps with the least worst case."""
        from boundcheck.worst import best_schedule

        method = method_object(self.name, self.chosen)
        return best_schedule(method, self.schedule, T=self.T[0], **self.run, **self.given)

    def forecast(self) -> WorkForecast:
        """Return about what worst cases over a class take, nothing where that is little or not known.

        Raises
        ------
        InputError
            If it is more than the machine has memory for.
        """
        from boundcheck.worst.cases.lower import LONGEST
        from boundcheck.worst.sides.neighbours import LARGEST

        if self.kind != "class":
            return WorkForecast()

        def run(K: int, T: int) -> int | None:
            ((_, case),) = replace(self, T=(T,), run=self.run | {"K": K}).cases()
            return case.sizes.get("constraints")

        return forecast_from_shorter(run, self.run["K"], self.T, (LONGEST, LARGEST), noisy=self.given["sigma"] > 0)

    def cases(self) -> Iterator[tuple[Method, WorstCase]]:
        """Yield the worst case of each horizon, after the method that it is of.

        Raises
        ------
        UnknownNameError
            If the name is neither of a method nor of a bound.
        """
        from boundcheck.bounds import BOUNDS
        from boundcheck.evidence.search.extremes import tightness
        from boundcheck.methods import METHODS
        from boundcheck.worst import worst

        name = _resolve_name(self.name) if isinstance(self.name, str) else self.name
        if not isinstance(name, str) or not BOUNDS.suits(name):
            if isinstance(name, str) and not METHODS.suits(name):
                raise UnknownNameError("method or bound", name, (*METHODS, *BOUNDS), also=HINT)
            method = method_object(name, self.chosen)
            yield from ((method, worst(method, T=rounds, **self.run, **self.given)) for rounds in self.T)
            return
        S, given = self.run["S"], self.given
        require(S in (None, given["N"]), "S", S, "left out: theorems are put beside worst cases of all clients")
        if "Delta_mean" in BOUNDS[name].needs and given["Delta_mean"] is None:
            given = given | {"Delta": None, "Delta_mean": given["Delta"]}
        for rounds in self.T:
            found = tightness(name, overrides=self.chosen, K=self.run["K"], T=rounds, b=self.run["b"], **given)
            yield found.method, found.case


def read_question(name: Method | str, asked: Mapping[str, Any], option: Callable[[str], str] = str) -> WorstQuestion:
    """Return which question is asked.

    Parameters
    ----------
    name : Method or str
    asked : mapping
        The other arguments of `boundcheck.worst` by name.
    option : callable
        What errors call each of them.

    Raises
    ------
    InputError
        If a number is not legal, or arguments do not go together.
    """
    from boundcheck.worst.stated.language import SUFFIX

    def leave_out(names: tuple[str, ...], legal: str) -> None:
        for one in names:
            require(asked[one] is None, option(one), asked[one], f"left out with {legal}")

    require(isinstance(name, str) or hasattr(name, "card"), "name", name, "a method, or the name of one or of a bound")
    chosen = dict(asked["set_"] or {})
    if isinstance(name, str) and name.endswith(SUFFIX):
        leave_out(("K", "T", "assume", "maximise"), f"a file {SUFFIX}, which says all")
        return WorstQuestion("file", name, chosen)
    if asked["K"] is None or asked["T"] is None:
        missing = " and ".join(option(one) for one in ("K", "T") if asked[one] is None)
        msg = f"{name}: no value of {missing}: local steps and rounds (a file {SUFFIX} says both)"
        raise InputError(msg)
    rounds, _ = horizons(asked["T"])
    size = wholes({key: asked[key] for key in ("K", "N", "S", "b")})
    maximise, schedule = asked["maximise"], asked["schedule"]
    together = f"with {option('maximise')}"
    require(maximise is not None or not asked["assume"], option("assume"), asked["assume"], together)
    if schedule is not None:
        leave_out(("maximise",), option("schedule"))
        legal = f"one number of rounds with {option('schedule')}"
        require(len(rounds) == 1, option("T"), " ".join(map(str, rounds)), legal)
    if maximise is not None:
        by_words = f"{option('maximise')}: {option('assume')} says it"
        leave_out(("Delta", "Delta_mean", "distance", "zeta", "G_0", "pl", "S"), by_words)
        require(not asked["sigma"], option("sigma"), asked["sigma"], f"left out with {by_words}")
        own = {"assume": list(asked["assume"] or ()), "maximise": maximise, "L": asked["L"], "mu": asked["mu"]}
        return WorstQuestion("expressions", name, chosen, tuple(rounds), own=own | {"N": size["N"], "K": size["K"]})
    names = ("L", "mu", "Delta", "Delta_mean", "distance", "zeta", "G_0", "sigma", "everywhere", "pl")
    given = {key: asked[key] for key in names} | {"N": size["N"]}
    if given["Delta"] is None and given["Delta_mean"] is None and (given["distance"] is None or _is_minimax(name)):
        given["Delta"] = 1.0
    run = {"K": size["K"], "S": size["S"], "b": size["b"], "measure": asked["measure"]}
    kind: Literal["class", "schedule"] = "class" if schedule is None else "schedule"
    return WorstQuestion(kind, name, chosen, tuple(rounds), run, given, schedule=schedule or "")


def _resolve_name(name: str) -> str:
    """Return the method or bound that is meant; a method's name is meant before a bound's ending."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.methods import METHODS

    if name in METHODS or name in BOUNDS:
        return name
    return matching_name("method or bound", name, [*METHODS, *BOUNDS], also=HINT)


def _is_minimax(name: Method | str) -> bool:
    from boundcheck.methods import METHODS

    if isinstance(name, str):
        return name in METHODS and METHODS[name].card.kind == "minimax"
    return name.card.kind == "minimax"
