"""Bounds of "GradMA: A Gradient-Memory-based Accelerated Federated Learning" (arXiv:2302.14307), appendix.

Lemma .6.  With p = (eta K L)^2, s the variance factor of the sampled clients and
W = 320 p + 64 gamma L (1 + 40 p) s/(1 - beta1)^2 <= 1, the server's iterates satisfy

    mean_t E|grad f(x_t)|^2 <= 8 (1 - beta1) Delta/(gamma T) + W zeta^2 + (8 + W) eps_l^2
                               + (8 + 20 gamma L/(1 - beta1)^2) eps_g^2/((1 - beta_mem) (K eta)^2).

Lemma .2.  If eta <= 1/(4 sqrt(10 L K)), then without corrections every local step k of a round from x satisfies

    mean_i E|x_ik - x|^2 <= 40 (K eta)^2 (zeta^2 + |grad f(x)|^2).

Local gradients are exact.  eps_l and eps_g, how far the projections move a local step and the server's momentum, belong
to the run: they are measured.  The paper leaves the steps open under its conditions; the defaults below make every term
that can vanish do so as T grows.  gamma = eta K eta_g is the server step on the normalised direction.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sympy import Eq, Expr, Integer, Le, Lt, Rational, sqrt, true

from boundcheck.bounds.bound import Bound, Condition, Remark
from boundcheck.bounds.common import SAMPLING, compound, least
from boundcheck.notation import symbols

if TYPE_CHECKING:
    from collections.abc import Mapping

K, T, L, zeta, Delta = symbols("K T L zeta Delta")
eta, gamma, beta1, beta_mem, eps_l, eps_g, mu = symbols("eta gamma beta1 beta_mem eps_l eps_g mu_prox")

EXACT_DRIFT = 8 * compound(K) / K
"""The sum that Lemma .2 bounds by 40: 0 at K = 1, below 8 (e - 1)."""
_WEIGHTS = {"beta1": Rational(1, 2), "beta_mem": Rational(1, 2)}
STEEP = sqrt(L**2 + mu**2) / L
"""How much longer a proximal term makes the local path: L^2 + mu^2 for L^2."""


def _lemma_6(drift: Expr, pair: Expr, correction: Expr, path: Expr) -> dict[str, Any]:
    """Return what Lemma .6 prescribes, asserts and asks for, with the constants of Lemma .2, (27), eps_g and (i)."""
    p, rest = (eta * K * L) ** 2, (1 - beta1) ** 2
    weight = 8 * drift * p + 32 * pair * gamma * L * (1 + drift * p) * SAMPLING / rest
    momentum = beta1 + 2 * pair * (1 - SAMPLING)
    # A path of 1/sqrt(640) at most leaves half of condition (iii) to gamma.
    local = least(1 / sqrt(640), sqrt(L * Delta / (320 * zeta**2 * T)))
    server = least(
        rest / (L * momentum),
        rest / (136 * L * SAMPLING),
        sqrt(Rational(2, 17) * (1 - beta1) ** 3 * Delta / (L * SAMPLING * zeta**2 * T)),
    )
    return {
        "parameters": {**_WEIGHTS, "eta": local / (K * L), "gamma": server, "eta_g": gamma / (eta * K)},
        "terms": {
            "gap": 8 * (1 - beta1) * Delta / (gamma * T),
            "heterogeneity": weight * zeta**2,
            "worker correction": (8 + weight) * eps_l**2,
            "server correction": eps_g**2 / ((1 - beta_mem) * (K * eta) ** 2) * (8 + correction * gamma * L / rest),
        },
        "conditions": (
            Condition("momentum below 1", Lt(beta1, 1)),
            Condition("decay of the memory below 1", Lt(beta_mem, 1)),
            Condition("local path (i)", Le(eta * K * L, path)),
            Condition("server step (ii)", Le(gamma * L * momentum, rest)),
            Condition("heterogeneity (iii)", Le(weight, 1)),
        ),
    }


LEMMA_6 = Bound(
    id="gradma.lemma6",
    paper="gradma",
    title="GradMA, Lemma .6 as printed",
    where="Lemma .6, l.278-280",
    method="gradma",
    metric="server_gradient",
    needs=("L", "zeta", "Delta"),
    **_lemma_6(Integer(40), Integer(2), Integer(20), 1 / (4 * sqrt(10))),
    free=("beta1", "beta_mem"),
    trivial=2 * L * Delta,
    definitions=("eta_g",),
    hyper={"beta": "beta1", "gamma": "eta_g"},
    measured={"eps_l": "worker_correction", "eps_g": "server_correction"},
    exact_gradients=True,
    note="Vacuous for K >= 2: the worker's projection removes almost the whole gradient from the second step on, so "
    "that 8 eps_l^2 alone exceeds |grad f|^2.",
    remark=Remark("from its assumptions, by 14 claims", "for GradMA and GradMA-W with K >= 2 it says nothing"),
)

SHARP = replace(
    LEMMA_6,
    id="gradma.lemma6S",
    title="GradMA, Lemma .6 sharpened",
    where=f"{LEMMA_6.where}, with the exact sum in l.196 and 1 + beta1 in (27)",
    **_lemma_6(EXACT_DRIFT, 1 + beta1, 8 + 12 * beta1, Rational(1, 4)),
    form="sharpened",
    note="The same proof without rounding up; 20 becomes 8 + 12 beta1.",
)


def _substitute_values(bound: Bound, values: Mapping[Expr, Expr]) -> dict[str, Any]:
    """Return the terms and conditions with values put in; what vanishes or holds by itself is left out."""
    terms = {name: e.subs(values) for name, e in bound.terms.items()}
    conditions = [(c, c.relation.subs(values)) for c in bound.conditions]
    return {
        "terms": {name: e for name, e in terms.items() if e != 0},
        "conditions": tuple(replace(c, relation=relation) for c, relation in conditions if relation != true),
    }


def _without(letters: str, suffix: str, method: str, name: str, note: str) -> tuple[Bound, Bound]:
    """Return both forms of the lemma for a method in which the letters are 0; the note is that of the printed form."""
    gone = letters.split()
    zero = dict.fromkeys(symbols(letters), Integer(0))
    printed, sharp = (
        replace(
            lemma,
            id=lemma.id + suffix,
            title=lemma.title.replace("GradMA", name),
            method=method,
            parameters={k: e.subs(zero) for k, e in lemma.parameters.items() if k not in gone},
            free=tuple(k for k in lemma.free if k not in gone),
            measured={k: v for k, v in lemma.measured.items() if k not in gone},
            hyper={k: v for k, v in lemma.hyper.items() if v not in gone},
            **_substitute_values(lemma, zero),
            remark=None,
        )
        for lemma in (LEMMA_6, SHARP)
    )
    return replace(printed, note=note), sharp


_ALONE = "a theorem about the problem alone."
LEMMA_6_W, SHARP_W = _without(
    "beta1 beta_mem eps_g", "-w", "gradma-w", "GradMA-W", "beta1 = eps_g = 0. Vacuous for K >= 2, as for GradMA."
)
LEMMA_6_S, SHARP_S = _without(
    "eps_l",
    "-s",
    "gradma-s",
    "GradMA-S",
    "eps_l = 0. The correction of the momentum is of the size of the gradient where clients conflict.",
)
LEMMA_6_FEDAVGM, SHARP_FEDAVGM = _without(
    "beta_mem eps_l eps_g", "-fedavgm", "fedavg-server-m", "FedAvg with server momentum", f"eps_l = eps_g = 0: {_ALONE}"
)
LEMMA_6_FEDAVG, SHARP_FEDAVG = _without(
    "beta1 beta_mem eps_l eps_g", "-fedavg", "fedavg", "FedAvg", f"eps_l = eps_g = beta1 = 0: {_ALONE}"
)


def _proximal(form: Bound) -> Bound:
    """Return a form of FedAvg with momentum for FedProx: with sqrt(L^2 + mu^2) for L in the local path."""
    steps = {**form.parameters, "eta": form.parameters["eta"] / STEEP}
    return replace(
        form,
        id=form.id.replace("fedavgm", "fedproxm"),
        title=form.title.replace("FedAvg", "FedProx"),
        method="fedprox-m",
        parameters={"beta1": steps.pop("beta1"), "mu_prox": L / 10, **steps},
        free=("beta1", "mu_prox"),
        hyper={**form.hyper, "rho": "mu_prox"},
        form="repaired" if form.form == "printed" else form.form,
        **_substitute_values(form, {eta: eta * STEEP}),
    )


LEMMA_6_FEDPROXM = replace(
    _proximal(LEMMA_6_FEDAVGM),
    note="eps_l = eps_g = 0 and L^2 + mu^2 for L^2 in the drift: not in the paper, by the same proof.",
)
SHARP_FEDPROXM = _proximal(SHARP_FEDAVGM)

_ONE_ROUND = Condition("one round", Eq(T, 1))

LEMMA_2_PRINTED = Bound(
    id="gradma.lemma2-printed",
    paper="gradma",
    title="Local drift, Lemma .2 as printed",
    where="Lemma .2, l.183-200",
    method="fedavg-server-m",
    metric="drift",
    needs=("L", "zeta", "Delta"),
    parameters={"beta1": Rational(1, 2), "eta": 1 / (4 * sqrt(10 * L * K)), "eta_g": Integer(1)},
    free=("beta1", "eta_g"),
    terms={"drift": 40 * (K * eta) ** 2 * (zeta**2 + 2 * L * Delta)},
    trivial=(eta * K) ** 2 * (1 + eta * L) ** (2 * K) * (zeta**2 + 2 * L * Delta),
    conditions=(_ONE_ROUND, Condition("local step (l.183)", Le(eta, 1 / (4 * sqrt(10 * L * K))))),
    hyper={"beta": "beta1", "gamma": "eta_g"},
    exact_gradients=True,
    note="The root reaches over L K: the units do not fit, and for large L the lemma is false. |grad f(x_0)|^2 is put "
    "as 2 L Delta.",
    refuted_by=("gradma.lemma2-printed",),
    remark=Remark("the step condition", "stands with eta <= 1/(4 sqrt(10) L K)"),
)

LEMMA_2 = replace(
    LEMMA_2_PRINTED,
    id="gradma.lemma2",
    title="Local drift, Lemma .2 repaired",
    where="Lemma .2, with the condition of l.278",
    parameters={**LEMMA_2_PRINTED.parameters, "eta": 1 / (4 * sqrt(10) * L * K)},
    conditions=(_ONE_ROUND, Condition("local path", Le(eta * L * K, 1 / (4 * sqrt(10))))),
    form="repaired",
    note="eta_l <= 1/(4 sqrt(10) L K), as Lemma .6 has it.",
    refuted_by=(),
)
