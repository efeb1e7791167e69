"""A maximiser for every constant: how large can the defining ratio be made?  `MAXIMISERS` is the table, by letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from boundcheck.problems.certification import descent, growth, identities, lipschitz, spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.problems.certification.search import Multistart

Sense = Literal["sup", "inf", "floor", "error"]


@dataclass(frozen=True)
class Maximiser:
    """How far the constant of one letter can be pushed.

    `sup`: the constant is a supremum, ratio = attained/claimed.  `inf`: an infimum of positive numbers, ratio =
    claimed/attained.  `floor`: an infimum of a function, ratio = share of the claimed descent from the start that was
    found.  `error`: not a constant but an identity, ratio = relative error/tolerance.
    """

    run: Callable[[Multistart], float]
    sense: Sense = "sup"
    seek: str = ""
    """The extreme points of `boundcheck.problems.certification.scan.scan` that are starts too."""


MAXIMISERS: dict[str, Maximiser] = {
    "L": Maximiser(lipschitz.smoothness, seek="bend"),
    "L_sample": Maximiser(lipschitz.sample_smoothness, seek="bend"),
    "L_rms": Maximiser(lipschitz.mean_square_smoothness, seek="bend"),
    "L_block": Maximiser(lipschitz.block_smoothness, seek="bend"),
    "L_Phi": Maximiser(lipschitz.envelope_smoothness, seek="bend"),
    "sigma": Maximiser(spread.deviation, seek="slope"),
    "zeta": Maximiser(spread.heterogeneity, seek="spread"),
    "zeta_pair": Maximiser(spread.pair_distance, seek="spread"),
    "G_inf": Maximiser(spread.largest_coordinate, seek="slope"),
    "G_0": Maximiser(spread.initial_gradients),
    "mu": Maximiser(lipschitz.strength, "inf"),
    "mu_PL": Maximiser(descent.steepness, "inf"),
    "G_rms": Maximiser(spread.second_moment, seek="slope"),
    "G_norm": Maximiser(spread.longest_gradient, seek="slope"),
    "zeta_star": Maximiser(spread.gradients_at_minimiser),
    "delta_x": Maximiser(descent.distance),
    "D_inf": Maximiser(spread.width),
    "sigma_star": Maximiser(growth.noise_at_minimiser),
    "L_exp": Maximiser(growth.expected_smoothness),
    "rho_sg": Maximiser(growth.strong_growth),
    "G_dis": Maximiser(growth.dissimilarity),
    "B_dis": Maximiser(growth.relative_dissimilarity),
    "B_rel": Maximiser(growth.relative_dissimilarity),
    "L_0": Maximiser(growth.curvature),
    "L_1": Maximiser(growth.curvature_growth),
    "p_square": Maximiser(growth.squared_weights),
    "p_tail": Maximiser(growth.tail_order, "inf"),
    "sigma_p": Maximiser(growth.tail_moment),
    "sigma_exp": Maximiser(growth.light_tails),
    "mu_sample": Maximiser(growth.sample_strength, "inf"),
    "n_samples": Maximiser(growth.samples),
    "F_star": Maximiser(growth.sum_floor, "floor"),
    "Delta_F": Maximiser(growth.sum_gap),
    "delta_F": Maximiser(growth.sum_distance),
    "mu_op": Maximiser(growth.monotonicity, "inf"),
    "delta_z": Maximiser(growth.saddle_distance),
    "kappa": Maximiser(lipschitz.condition_number),
    "f_star": Maximiser(descent.floor, "floor", seek="low"),
    "Delta": Maximiser(descent.gap, seek="low"),
    "Delta_mean": Maximiser(descent.client_gap),
    "Gamma_star": Maximiser(descent.gain_alone),
    "Phi_star": Maximiser(descent.envelope_floor, "floor", seek="low"),
    "Delta_Phi": Maximiser(descent.envelope_gap, seek="low"),
    "delta_y": Maximiser(descent.dual_miss),
    "Delta_y": Maximiser(descent.dual_gap),
    "R_y": Maximiser(spread.side_of_box),
    "D_y": Maximiser(spread.diagonal_of_box),
    "G_x": Maximiser(spread.steepest_in_x),
}
"""The maximiser of every constant, by letter."""

CEILINGS: dict[str, tuple[str, Maximiser]] = {
    "sup |grad f|^2": ("server_gradient", Maximiser(spread.steepest, seek="steep")),
}
"""Sure ceilings: the row's name, the metric that asks the problem for it, and its maximiser."""

IDENTITIES: dict[str, Maximiser] = {
    "grad f": Maximiser(identities.gradient_error, "error"),
    "unbiased": Maximiser(identities.bias, "error"),
    "convex": Maximiser(lipschitz.concave_share, "error"),
    "Phi": Maximiser(identities.envelope_error, "error"),
}
"""What is checked beside the constants; Phi on minimax problems only, convexity where it is claimed."""
