"""A question about a sharpened theorem, as `boundcheck.sharpen` and the command of that name read it, and its answer.

There are six kinds of theorems, each with a function below that first says which arguments do not go with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from boundcheck.api.forecasts import forecast_from_shorter
from boundcheck.api.names import method_object, wholes
from boundcheck.errors import InputError, UnknownNameError, require
from boundcheck.files.own import HINT
from boundcheck.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boundcheck.methods.base import Method
    from boundcheck.worst import Contraction, Sharpened, StepTheorem
    from boundcheck.worst.theorems.described.rounds import AskedRound
    from boundcheck.worst.theorems.described.search import DescribedTheorem

_LOCAL_STEPS = "a number of local steps"


@dataclass(frozen=True)
class SharpenQuestion:
    """A method and the arguments of `boundcheck.sharpen` by name, with what errors call each of them."""

    method: Method | str
    asked: Mapping[str, Any]
    option: Callable[[str], str]

    def __getitem__(self, name: str) -> Any:
        """Return the value of an argument."""
        return self.asked[name]

    def leave_out(self, names: Sequence[str], legal: str) -> None:
        """Require that arguments have no value."""
        for name in names:
            # A flag that is off, and a table of boxes without one, are not given.
            value = self[name] if self[name] is not False and self[name] != {} else None
            value = [f"{key}={low}:{high}" for key, (low, high) in value.items()] if isinstance(value, dict) else value
            require(value is None, self.option(name), value, legal)

    def need(self, name: str, legal: str) -> None:
        """Require that an argument has a value."""
        if self[name] is None:
            msg = f"{self.option(name)} is missing: {legal}"
            raise InputError(msg)

    def up_to(self, default: str) -> Fraction:
        """Return the largest step."""
        return fraction(self.option("up_to"), self["up_to"] or default)

    def problem_class(self, **more: Any) -> Any:
        """Return the class of problems that the theorem is about."""
        from boundcheck.worst import ProblemClass

        return ProblemClass(N=self["N"], zeta=self["zeta"], G_0=self["G_0"], sigma=self["sigma"], **more)

    def method_at_placeholders(self) -> Method:
        """Return the method built: what the theorem is for all values of needs a value for that."""
        if not isinstance(self.method, str):
            return self.method
        values = dict(self["set_"] or {})
        for name in ("eta", *self["box"]):
            values.setdefault(name, float(self["box"][name][1]) if name in self["box"] else 0.125)
        return method_object(self.method, values)


def sharpen_as_asked(
    method: Method | str, asked: Mapping[str, Any], option: Callable[[str], str] = str
) -> Sharpened | StepTheorem | list[StepTheorem] | Contraction | DescribedTheorem:
    """Return what `sharpen` returns; `asked` are its arguments by name, `option` what errors call each of them."""
    asked = {**asked, **wholes({name: asked[name] for name in ("K", "T", "N", "S")})}
    q = SharpenQuestion(method, asked, option)
    if isinstance(method, str) and _round_of(method) is None and not METHODS.suits(method):
        raise UnknownNameError("method", method, METHODS, also=HINT)
    if q["mu"] is not None:
        return _find_contraction(q)
    q.leave_out(("measure", "rate"), f"left out: it goes with {option('mu')}")
    if q["all_steps"] and (kind := _round_of(method)) is not None:
        return _find_described(q, kind)
    if q["all_k"]:
        if q["pl"]:
            q.leave_out(("near",), f"left out with {option('pl')}: its factors are few constants")
    else:
        legal = f"left out: it goes with {option('all_k')}, or {option('all_steps')} of delayed-sgd, dsgd and ef21"
        q.leave_out(("pl",), legal)
    if not (q["all_steps"] or q["all_k"]):
        return _find_for_round(q)
    if q["within"] is not None:
        return _cover(q)
    q.leave_out(("T", "free"), "left out: the theorem is for every T and all steps")
    if not q["all_k"]:
        q.leave_out(("S",), "left out: the theorem is for all clients")
    return _find_for_every_k(q) if q["all_k"] else _find_for_steps(q)


def forecast_sharpening(method: Method | str, asked: Mapping[str, Any]) -> float:
    """Return about how many seconds a theorem for one K takes, 0 where that is little or not known."""
    K = asked["K"]
    if not isinstance(K, int) or K < 1 or asked["within"] is not None:
        return 0.0

    def run(K: int, _: int) -> None:
        sharpen_as_asked(method, {**asked, "K": K})

    return forecast_from_shorter(run, K, [1]).seconds


def _find_contraction(q: SharpenQuestion) -> Contraction:
    """Return by which factor a round contracts."""
    from boundcheck.worst import contract

    names = ("T", "S", "G_0", "free", "up_to", "box", "within", "all_steps", "all_k", "near", "pl")
    q.leave_out(names, f"left out with {q.option('mu')}")
    q.need("K", _LOCAL_STEPS)
    at = {name: q[name] for name in ("K", "N", "mu", "rate", "zeta", "sigma")}
    return contract(method_object(q.method, q["set_"]), measured=q["measure"] or "distance", **at)


def _round_of(method: Method | str) -> AskedRound | None:
    """Return the round that is stated by its hypotheses, of a method that has one."""
    from boundcheck.worst.theorems.described.rounds import ROUNDS

    return ROUNDS.get(method.lower() if isinstance(method, str) else method.card.id)


def _find_described(q: SharpenQuestion, kind: AskedRound) -> DescribedTheorem:
    """Return the theorem of a round that is stated by its hypotheses, such as a delay or a mixing matrix."""
    from boundcheck.worst.theorems.described.search import prove_described

    none = f"left out: the theorem of {q.method} has no such choice"
    q.leave_out(("K", "T", "S", "zeta", "G_0", "free", "all_k", "box", "near", "within"), none)
    for name in ("sigma", "set_"):
        require(not q[name], q.option(name), q[name], none)
    limit = None if q["up_to"] is None else fraction(q.option("up_to"), q["up_to"])
    share = "a number in (0, 1], a share of what limits the step"
    require(limit is None or 0 < limit <= 1, q.option("up_to"), q["up_to"], share)
    return prove_described(kind.round(limit, polyak=q["pl"]))


def _find_for_round(q: SharpenQuestion) -> Sharpened:
    """Return the best theorem of one round, at these steps or at the best ones."""
    from boundcheck.worst import advise, sharpen

    every = f"{q.option('all_steps')} or {q.option('all_k')}"
    q.leave_out(("up_to", "box", "near", "within"), f"left out: it goes with {every}")
    q.need("K", _LOCAL_STEPS)
    q.need("T", "a number of rounds")
    made = method_object(q.method, q["set_"])
    at = {"K": q["K"], "T": q["T"], "S": q["S"], "given": q.problem_class()}
    return advise(made, free=list(q["free"]), **at) if q["free"] else sharpen(made, **at)


def _cover(q: SharpenQuestion) -> list[StepTheorem]:
    """Return theorems that cover a box."""
    from boundcheck.worst.theorems.all_steps.cover import cover_steps

    together = bool(q["box"]) and not q["all_k"]
    legal = f"left out: it goes with {q.option('all_steps')} and {q.option('box')}"
    require(together, q.option("within"), q["within"], legal)
    q.need("K", _LOCAL_STEPS)
    return cover_steps(q.method_at_placeholders(), K=q["K"], box=q["box"], within=q["within"] / 100)


def _find_for_every_k(q: SharpenQuestion) -> StepTheorem:
    """Return one theorem for all steps and every K."""
    from boundcheck.worst.theorems.all_steps.sharpen import sharpen_all_k

    q.leave_out(("K",), "left out: the theorem is for every K")
    steps = f"the steps are all eta up to {q.option('up_to')}/(K L)"
    q.leave_out(("box",), f"left out: with {q.option('all_k')} {steps}")
    up_to, made = q.up_to("1/2"), q.method_at_placeholders()
    given, S, N = q.problem_class(Delta=1.0), q["S"], q["N"]
    require(S is None or 1 <= S <= N, q.option("S"), S, f"a count from 1 to N = {N}")
    drawn = S is not None and S < N
    if drawn:
        q.leave_out(("near",), f"left out with {q.option('S')}: its factors are few constants")
    return sharpen_all_k(made, up_to=up_to, given=given, few=not q["near"], polyak=q["pl"], drawn=drawn)


def _find_for_steps(q: SharpenQuestion) -> StepTheorem:
    """Return one theorem for all steps at one K."""
    from boundcheck.worst.theorems.all_steps.sharpen import sharpen_steps

    every = q.option("all_k")
    q.need("K", f"{_LOCAL_STEPS}, or {every}")
    q.leave_out(("near",), f"left out: it goes with {every}")
    noise = f"0 with {q.option('all_steps')}; theorems with noise are for {every}"
    require(not q["sigma"], q.option("sigma"), q["sigma"], noise)
    up_to, made = q.up_to("1"), q.method_at_placeholders()
    return sharpen_steps(made, K=q["K"], up_to=up_to, box=q["box"] or None, given=q.problem_class(Delta=1.0))


def ranges(box: Mapping[str, tuple[Any, Any]] | None) -> dict[str, tuple[Fraction, Fraction]]:
    """Return ranges of hyperparameters as pairs of fractions."""
    for name, ends in (box or {}).items():
        require(len(ends) == 2, f"box: {name}", ends, "two numbers, low and high")
    return {name: (fraction("box", ends[0]), fraction("box", ends[1])) for name, ends in (box or {}).items()}


def fraction(where: str, value: Any) -> Fraction:
    """Return a decimal or a fraction, as 0.5 or "1/2".

    Raises
    ------
    InputError
        If it is none.
    """
    try:
        return Fraction(value.strip() if isinstance(value, str) else value)
    except (ValueError, ZeroDivisionError, TypeError, OverflowError):
        require(False, where, value, "a number or a fraction, as 0.5 or 1/2")  # noqa: FBT003
        raise
