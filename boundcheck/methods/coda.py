"""CODA and CODASCA: local descent ascent in stages around a proximal centre, plain or with control variates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from boundcheck.errors import require, require_count
from boundcheck.methods.base import Card, Factor, Hyper, Method, Oracle, Penalty, Step, Vector
from boundcheck.methods.local import sample_gradients


class StageState(NamedTuple):
    """Server pair and what belongs to the running stage."""

    x: Vector
    """Server pair (lanes, 1, d)."""
    ref: Vector
    """Pair at the start of the stage; its min block is the centre of the proximal term (lanes, 1, d)."""
    total: Vector
    """Sum of the averaged local pairs over the stage (lanes, 1, d)."""
    c_i: Vector
    """Control variates of the clients, zeros for CODA (lanes, N, d)."""
    stage: int
    """Stages finished."""
    done: int
    """Rounds finished in the running stage."""


@dataclass(frozen=True, kw_only=True)
class _Staged(Method):
    """Steps and stages that CODA and CODASCA have in common.

    Attributes
    ----------
    eta_x, eta_y : Hyper
        Descent and ascent step of the first stage.
    lam : Hyper
        Proximal coefficient.
    rounds, growth : int
        Rounds of the first stage, and how many times longer each next stage is.
    decay : Hyper
        Divisor of both steps from stage to stage.
    """

    eta_x: Step
    eta_y: Step
    lam: Penalty
    rounds: int
    growth: int = 3
    decay: Hyper = 3.0

    def __post_init__(self) -> None:
        """Check the stage lengths."""
        require_count(self.rounds, f"{self.card.id}: rounds")
        require_count(self.growth, f"{self.card.id}: growth")

    def steps(self, oracle: Oracle, stage: int) -> Vector:
        """Return the signed step vector of a stage."""
        shrink = 1.0 / oracle.xp.asarray(self.decay, dtype=float) ** stage
        return oracle.blockwise(self.eta_x * shrink, -self.eta_y * shrink)

    def is_over(self, state: StageState) -> bool:
        """Return whether the round at hand is the last of its stage."""
        return bool(state.done + 1 == self.rounds * self.growth**state.stage)

    def init(self, oracle: Oracle, x0: Vector) -> StageState:
        """Start the first stage at x0."""
        return StageState(x0, x0, 0.0 * x0, oracle.to_all(0.0 * x0), 0, 0)


@dataclass(frozen=True, kw_only=True)
class CODA(_Staged):
    """Communication-efficient distributed AUC optimisation, for any minimax problem.

    Problem: min_x max_y mean_i F_i(x, y), weakly convex in x and strongly concave in y.

    **Update**: K times ``x_i <- x_i - e (g_i^x + lam (x_i - ref))``, ``y_i <- y_i + e' g_i^y`` with
    ``(e, e') = (eta_x, eta_y) / decay^s``, then average; stage s has rounds growth^s rounds, and ends with x, y at
    their averages over the local steps of the stage and ref at x.  The paper's dual restart needs the AUC loss: this
    is CODA+'s.

    References: [1] Guo, Liu, Yuan, Shen, Liu, Yang, arXiv:2005.02426.

    Attributes
    ----------
    output : {'mean', 'last'}
        A stage ends at the averages as in the paper, or at its last pair as in public code.
    """

    output: str = "mean"

    card = Card(
        "coda",
        "CODA",
        "fmgda",
        "baseline of the experiments, rule from the cited work (Guo et al. 2020)",
        rule="cited",
        kind="minimax",
        partial=False,
        needs=("max block",),
        distinguishes=("lam", "growth", "decay", "K > 1", "T > 1"),
        mixes=True,
        cost=1.2,
        server="2 d",
    )

    def __post_init__(self) -> None:
        """Check what is not a step."""
        super().__post_init__()
        require(self.output in {"mean", "last"}, "coda: output", self.output, "mean or last")

    def round(self, oracle: Oracle, state: StageState) -> StageState:
        """K proximal local steps and the average; the last round of a stage sets the new centre."""
        steps, lam = self.steps(oracle, state.stage), oracle.blockwise(self.lam, 0.0)
        start, ref = oracle.to_clients(state.x), oracle.to_clients(state.ref, free=True)

        def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            z, seen = carry
            z = z - steps * (sample_gradients(oracle, z) + lam * (z - ref))
            return z, seen + z

        z, seen = oracle.fori(step, (start, 0.0 * start))
        # Clients keep their sum over the stage, and send it in its last round instead of z.
        x, total = oracle.mean(z), state.total + oracle.mean(seen, free=True)
        if not self.is_over(state):
            return StageState(x, state.ref, total, state.c_i, state.stage, state.done + 1)
        if self.output == "mean":
            x = (1.0 / (oracle.K * (state.done + 1))) * total
        return StageState(x, x, 0.0 * x, state.c_i, state.stage + 1, 0)


@dataclass(frozen=True, kw_only=True)
class CODASCA(_Staged):
    """CODA with control variates in both blocks.

    Problem: min_x max_y mean_i F_i(x, y), weakly convex in x and strongly concave in y.

    **Update**: K times ``x_i <- x_i - e (g_i^x + lam (x_i - ref) - c_i^x + c^x)``,
    ``y_i <- y_i + e' (g_i^y - c_i^y + c^y)`` with ``(e, e') = (eta_x, eta_y) / decay^s``; then ``c_i <- mean_k g_i``,
    ``c <- mean_i c_i``, and x, y move by gamma times the mean displacement; stage s has rounds growth^s rounds, and
    ends with ref at x.

    **Guarantee**: none in the papers under audit.  Whether the c_i contain the proximal term is uncertain: by default
    not, as in the authors' code; the fixed points are the same.

    References: [1] Yuan, Guo, Xu, Ying, Yang, arXiv:2102.04635.

    Attributes
    ----------
    gamma : Hyper
        Server step on the mean displacement.
    prox_inside : bool
        Take the proximal term into the control variates.
    """

    gamma: Factor = 1.0
    prox_inside: bool = False

    card = Card(
        "codasca",
        "CODASCA",
        "fmgda",
        "baseline of the experiments, rule from the cited work (Yuan et al. 2021)",
        rule="uncertain",
        kind="minimax",
        up="2",
        down="2",
        partial=False,
        needs=("max block",),
        distinguishes=("lam", "growth", "decay", "gamma", "K > 1", "T > 1", "different clients"),
        mixes=True,
        cost=1.3,
        client="d",
        server="d",
    )

    def round(self, oracle: Oracle, state: StageState) -> StageState:
        """K corrected proximal local steps, the server step and the new control variates."""
        steps, lam = self.steps(oracle, state.stage), oracle.blockwise(self.lam, 0.0)
        start, ref = oracle.to_clients(state.x), oracle.to_clients(state.ref, free=True)
        correction = oracle.to_clients(oracle.mean(state.c_i)) - state.c_i

        def step(_: Any, carry: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
            z, seen = carry
            g, prox = sample_gradients(oracle, z), lam * (z - ref)
            return z - steps * (g + prox + correction), seen + (g + prox if self.prox_inside else g)

        z, seen = oracle.fori(step, (start, 0.0 * start))
        x = state.x + self.gamma * (oracle.mean(z) - state.x)
        c_i = (1.0 / oracle.K) * seen
        if self.is_over(state):
            return StageState(x, x, state.total, c_i, state.stage + 1, 0)
        return StageState(x, state.ref, state.total, c_i, state.stage, state.done + 1)
