"""FedAdam and FedAdagrad without momentum, smooth with bounded gradients, exact and from all clients.

With R = eps + Max(eps, eta K G_inf) for FedAdam and R = eps + sqrt(eps^2 + T (eta K G_inf)^2) for FedAdagrad, where
gamma eta K L <= eps/4 (eps is tau of Algorithm 2), the average of |grad f(x_t)|^2 is at most

    4 R Delta/(gamma eta K T) + (R/eps) L^2 eta^2 d G_inf^2 (K-1)(2K-1)/2.

S. Reddi et al., "Adaptive Federated Optimization", arXiv:2003.00295, Theorems 1 and 2, which hide constants and let
minibatches and momentum in.  The denominator of a step depends on the noise of that step; how their proof parts the two
could not be confirmed, so that both are left out here, and sampled clients with them.

Derived: D = -eta K (grad f(x) + e) with |e|^2 <= L^2 mean |y_ik - x|^2 <= L^2 eta^2 d G_inf^2 (K-1)(2K-1)/6, a step of
size eta moving a coordinate by at most eta G_inf.  Every coordinate of the denominator is in [eps, R].  Smoothness,
g (g + e) >= g^2/2 - e^2/2, (g + e)^2 <= 2 g^2 + 2 e^2 and the condition on gamma give
f(x_(t+1)) <= f(x_t) - gamma eta K (|grad f|^2/(4 R) - 3 |e|^2/(4 eps)); sum over t.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Le, Max, Rational, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

K, T, d, L, G_inf, Delta, eta, gamma, eps = symbols("K T d L G_inf Delta eta gamma eps")

MOVED = eta * K * G_inf
"""How far a coordinate moves in a round at most."""
DRIFT = L**2 * eta**2 * d * G_inf**2 * (K - 1) * (2 * K - 1) / 2


def _terms(largest: Expr) -> dict[str, Expr]:
    """Return the terms where no coordinate of the denominator is larger."""
    return {"gap": 4 * largest * Delta / (gamma * eta * K * T), "drift": largest / eps * DRIFT}


ADAM = Bound(
    id="field.fedadam",
    paper="field",
    title="FedAdam without momentum, smooth with bounded gradients: the average gradient",
    where="arXiv:2003.00295, Theorem 2, exact gradients",
    method="fedadam",
    metric="server_gradient",
    needs=("L", "G_inf", "Delta"),
    parameters={
        "eta": 1 / (K * L * sqrt(T)),
        "eps": G_inf / (L * sqrt(T)),
        "gamma": G_inf / (4 * L),
        "beta2": Rational(99, 100),
    },
    hyper={"tau": "eps"},
    choices={"beta1": 0.0},
    terms=_terms(eps + Max(eps, MOVED)),
    trivial=d * G_inf**2,
    trivial_is_sure=True,
    conditions=(FULL, A_STEP, Condition("server step", Le(gamma * eta * K * L, eps / 4))),
    free=("eta", "eps", "gamma", "beta2"),
    exact_gradients=True,
    units={"gamma": (0, 1), "eps": (0, 1)},
    note="Derived; constants of this proof.",
)
ADAGRAD = replace(
    ADAM,
    id="field.fedadagrad",
    title="FedAdagrad without momentum, smooth with bounded gradients: the average gradient",
    where="arXiv:2003.00295, Theorem 1, exact gradients",
    method="fedadagrad",
    parameters={"eta": ADAM.parameters["eta"], "eps": G_inf / L, "gamma": sqrt(T) * G_inf / (4 * L)},
    terms=_terms(eps + sqrt(eps**2 + T * MOVED**2)),
    free=("eta", "eps", "gamma"),
)
