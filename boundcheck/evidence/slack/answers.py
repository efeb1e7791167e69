"""What stands beside every registered theorem: a machine's theorem and the factor between them, or why there is none.

Theorems of the papers under audit have a theorem of one round at their own steps (the shipped waterfalls).  Theorems of
the field are put beside one for all steps, at the same step, and each at its own best one.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boundcheck.bounds import BOUNDS
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.slack.waterfalls import LONG, SETTING, ZETA, shipped_waterfalls
from boundcheck.evidence.trials.examples import pinned_letters

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boundcheck.bounds.bound import Bound


class TheoremPair(NamedTuple):
    """A theorem for all steps beside a theorem of the field.

    Attributes
    ----------
    machine : str
        Name of its bound.
    step : str
        The step that both have.
    at : mapping
        Parameters of the published theorem at which it speaks of the same runs.
    """

    machine: str
    step: str = "eta"
    at: Mapping[str, float] = {}


PAIRS = {
    "field.fedavg-dissimilar": TheoremPair("field.fedavg-all", at={"eta_g": 1}),
    "field.scaffold": TheoremPair("field.scaffold-all", at={"eta_g": 1}),
    "field.fednova": TheoremPair("field.fedavg-all", at={"K_few": SETTING["K"]}),
    "field.delayed-sgd": TheoremPair("field.delayed-sgd-all"),
    "field.ef21": TheoremPair("field.ef21-all", step="gamma"),
    "field.marina": TheoremPair("field.marina-all", step="gamma"),
}
"""Bound of the field to the theorem beside it; FedNova where all clients have the same weight and as many steps."""
VALUES = {
    **dict.fromkeys(("L", "Delta", "B_dis", "b"), 1.0),
    **dict.fromkeys(("zeta", "G_dis"), ZETA),
    "G_0": 2.0 + ZETA**2,
    "N": SETTING["N"],
    "S": SETTING["N"],
    "p_square": 1 / SETTING["N"],
    "d": 8,
}
"""The class, in units in which L = Delta = 1; G_0 is the largest that zeta allows."""
KNOWN = {"L", "Delta", "Delta_mean", "G_0", "zeta", "sigma", "mu_PL", "L_sample", "L_rms", *VALUES}
"""Constants that potentials of one round know, or that a pair translates."""
MEASURED = {"server_gradient": "E|grad f(x_t)|^2", "final_suboptimality": "E[f(x_T) - f_star]"}
REASONS = {
    "field.gd-convex": "no potential of one round gives 1/T for convex functions; `boundcheck worst` attains it",
    "field.gd-pl": "it is classical, and the machine's has the same factor (1 - mu eta) a round",
    "field.gd-strong": "it is classical, and `sharpen --mu` finds the same factor (1 - mu/L)^2 a round",
    "field.sgd": "it is classical; the theorem beside it is that of one round at one step: sharpen sgd --K 1",
    "field.page": "it assumes L_rms beside L; with one constant for both `sharpen marina --all-steps` is about it",
    "field.ef21-sgdm": "a compressor, momentum and noise together have no description yet",
    "field.gradient-tracking": "networks have a description without tracked gradients",
    "field.armijo": "its step is found by comparing values of f, which potentials of one round do not do",
    "field.sgd-weighted": "clients have weights; averages of machine's theorems are plain",
    "field.fedavg-drawn": "clients are drawn by their weights and with replacement; machine's draws are uniform",
}
"""Bound to why nothing stands beside it, where that does not follow from what it is about."""


class MachineAnswer(NamedTuple):
    """What a machine has beside a theorem.

    Attributes
    ----------
    bound : str
    machine : str
        The theorem beside it; nothing where there is none.
    factor, long : float or None
        Right-hand side over the machine's at the setting of the shipped waterfalls, and after `LONG` rounds.
    tuned : float or None
        The same after `LONG` rounds with sigma = 1, each theorem at its own best step.
    why : str
        Why there is none; nothing where there is one.
    """

    bound: str
    machine: str = ""
    factor: float | None = None
    long: float | None = None
    tuned: float | None = None
    why: str = ""

    def text(self) -> str:
        """Return it in words."""
        if self.factor is None:
            return f"none: {self.why}" if self.why else "none was looked for"
        where = f"K = {SETTING['K']}, T = {SETTING['T']}"
        said = f"{self.factor:.3g} times {self.machine} at {where}"
        said += f", {self.long:.3g} at T = {LONG}" if self.long is not None else ""
        return said + (f"; {self.tuned:.3g} with noise, each at its best step" if self.tuned is not None else "")


@cache
def machine_answer(name: str) -> MachineAnswer:
    """Return what a machine has beside a registered bound.

    Raises
    ------
    UnknownNameError
        If there is no such bound.
    """
    bound = BOUNDS[name]
    if (pair := PAIRS.get(name)) is not None:
        return _beside_all_steps(bound, pair)
    row = _waterfalls().get(name)
    if row is not None and (best := _stage(row, "sharpened").get("value")):
        factor = _stage(row, "right-hand side")["value"] / best
        return MachineAnswer(name, "the best theorem of one round", factor, row.get("long", {}).get("factor"))
    return MachineAnswer(name, why=_reason(bound, row))


def _waterfalls() -> dict[str, dict[str, Any]]:
    return {row["bound"]: row for row in shipped_waterfalls()["waterfalls"]}


def _stage(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(stage for stage in row["stages"] if stage["name"] == name)
    return found


def _reason(bound: Bound, row: Mapping[str, Any] | None) -> str:
    """Return why nothing stands beside a bound; empty if nobody has said it."""
    if (known := REASONS.get(bound.id)) is not None:
        return known
    if bound.paper == "field" and bound.form == "sharpened":
        return "it is the machine's own"
    if bound.kind != "explicit":
        return "it says an order and leaves the constants open"
    if bound.id.endswith("-rate"):
        return "it is the order of another form, whose row says it"
    if bound.metric not in MEASURED:
        return f"it is about {bound.metric}; machine's theorems are about {' or '.join(MEASURED.values())}"
    if unknown := sorted(set(bound.needs) - KNOWN):
        return f"it assumes {', '.join(unknown)}, which potentials of one round do not know"
    if row is not None:
        return str(_stage(row, "sharpened")["why"])
    if unreached := shipped_waterfalls()["unreached"].get(bound.id):
        return str(unreached)
    return ""


def _beside_all_steps(bound: Bound, pair: TheoremPair) -> MachineAnswer:
    sides = [_at_one_step(bound, pair, T=T) for T in (SETTING["T"], LONG)]
    noisy = "sigma" in bound.needs
    published, machine = (_best_step(bound, pair, one, noisy=noisy) for one in (bound, BOUNDS[pair.machine]))
    return MachineAnswer(bound.id, pair.machine, sides[0], sides[1], published / machine)


def _setting(bound: Bound, *, T: int, sigma: float) -> dict[str, Any]:
    return VALUES | {"K": SETTING["K"], "T": T, "sigma": sigma} | pinned_letters(bound)


def _at(pair: TheoremPair, bound: Bound, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a pair that a bound has, K_few as many as there are steps."""
    own = {name: values["K"] if name == "K_few" else value for name, value in pair.at.items()}
    return {name: value for name, value in own.items() if name in bound.parameters}


def _at_one_step(bound: Bound, pair: TheoremPair, *, T: int) -> float:
    """Return the factor without noise at the step that the published theorem prescribes, or the machine's largest."""
    machine = BOUNDS[pair.machine]
    values = _setting(bound, T=T, sigma=SETTING["sigma"])
    step = float(bound.resolve(values, _at(pair, bound, values))[pair.step])
    step = min(step, _largest(machine, pair, values))
    return _side(bound, pair, values, step) / _side(machine, pair, values, step)


def _side(bound: Bound, pair: TheoremPair, values: Mapping[str, Any], step: float) -> float:
    return float(bound.evaluate(bound.resolve(values, _at(pair, bound, values) | {pair.step: step})).rhs)


def _largest(bound: Bound, pair: TheoremPair, values: Mapping[str, Any]) -> float:
    """Return the step that a bound prescribes where nothing but its range limits it."""
    quiet = dict(values) | dict.fromkeys(("zeta", "G_dis", "sigma"), 1e-12)
    return float(bound.resolve(quiet, _at(pair, bound, values))[pair.step])


def _best_step(published: Bound, pair: TheoremPair, bound: Bound, *, noisy: bool) -> float:
    """Return the smallest right-hand side over the steps of a bound's range, after many rounds."""
    values = _setting(published, T=LONG, sigma=1.0 if noisy else 0.0)
    found = []
    for step in _largest(bound, pair, values) * np.geomspace(1e-4, 1, 200):
        try:
            found.append(_side(bound, pair, values, float(step)))
        except NotApplicableError:
            continue
    return min(found)
