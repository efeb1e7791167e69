"""The explicit list of problem families."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from boundcheck.files.registry import Registry

if TYPE_CHECKING:
    from boundcheck.problems.base import Problem


def is_family(found: object) -> bool:
    """Return whether this makes problems: a class of them, or a function of N that its annotation says returns one."""
    from boundcheck.problems.base import Problem

    if isinstance(found, type):
        return issubclass(found, Problem) and not inspect.isabstract(found)
    return inspect.isfunction(found) and "N" in inspect.signature(found).parameters


def reads_data(family: str) -> bool:
    """Return whether the problems of a family may stand on the tables of data; of a function nobody knows."""
    return getattr(FAMILIES[family], "reads_data", True)


FAMILIES: Registry[type[Problem]] = Registry(
    "problem family",
    {
        "ridge": "boundcheck.problems.synthetic.ridge:Ridge",
        "ridge-split": "boundcheck.problems.synthetic.ridge_split:SplitRidge",
        "ridge-mixture": "boundcheck.problems.synthetic.ridge_mixture:MixtureRidge",
        "ridge-shift": "boundcheck.problems.synthetic.ridge_shift:ShiftRidge",
        "ridge-bend": "boundcheck.problems.synthetic.ridge_bend:BendRidge",
        "ridge-waves": "boundcheck.problems.synthetic.ridge_waves:WaveRidge",
        "ridge-table": "boundcheck.problems.synthetic.ridge_table:TableRidge",
        "ridge-directions": "boundcheck.problems.synthetic.ridge_directions:DirectionRidge",
        "ridge-weighted": "boundcheck.problems.synthetic.ridge_weighted:WeightedRidge",
        "log-cosh": "boundcheck.problems.synthetic.log_cosh:LogCoshClients",
        "constant": "boundcheck.problems.synthetic.constant:ConstantClients",
        "random-curvature": "boundcheck.problems.synthetic.random_curvature:RandomCurvature",
        "finite-sum": "boundcheck.problems.synthetic.finite_sum:FiniteSum",
        "chain": "boundcheck.problems.synthetic.chain:Chain",
        "chain-split": "boundcheck.problems.synthetic.chain_split:SplitChain",
        "quadratic": "boundcheck.problems.synthetic.quadratic:Quadratic",
        "parabolas": "boundcheck.problems.synthetic.parabolas:Parabolas",
        "cosh": "boundcheck.problems.synthetic.cosh:Cosh",
        "sine-bowl": "boundcheck.problems.synthetic.sine_bowl:SineBowl",
        "piecewise": "boundcheck.problems.synthetic.piecewise:Piecewise",
        "stiff-clients": "boundcheck.problems.synthetic.stiff_clients:StiffClients",
        "online": "boundcheck.problems.online.cycle:Cycle",
        "ncsc-ridge": "boundcheck.problems.synthetic.ncsc_ridge:RidgeSaddle",
        "ncsc-newton": "boundcheck.problems.synthetic.ncsc_newton:NewtonSaddle",
        "saddle-parabola": "boundcheck.problems.synthetic.saddle_parabola:SaddleParabola",
        "sine-saddle": "boundcheck.problems.synthetic.sine_saddle:SineSaddle",
        "auc": "boundcheck.problems.data.auc:Auc",
        "mlp": "boundcheck.problems.data.mlp:Perceptron",
        "softmax": "boundcheck.problems.data.softmax:Softmax",
        "extremal": "boundcheck.problems.extremal.family:Extremal",
        "logistic": "boundcheck.problems.data.logistic:Logistic",
        "regression": "boundcheck.problems.data.regression:Regression",
    },
    group="families",
    accepts=is_family,
)
"""Every family by the name that problem files use."""
