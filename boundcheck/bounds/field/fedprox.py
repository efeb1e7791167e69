"""FedProx with inexact local solutions and bounded dissimilarity, nonconvex: the average gradient.

If mean_i |grad f_i|^2 <= B^2 |grad f|^2 (B = B_rel), rho > L is the proximal coefficient and every local solution y_i
satisfies |grad f_i(y_i) + rho (y_i - x)| <= g |grad f_i(x)|, f falls in every round by a |grad f(x)|^2 with a = 1/rho -
g B/rho - L (1+g) B/((rho-L) rho) - L (1+g)^2 B^2/(2 (rho-L)^2), so that the average of |grad f|^2 is at most Delta/(a
T). T. Li, A. K. Sahu, M. Zaheer, M. Sanjabi, A. Talwalkar, V. Smith, "Federated Optimization in Heterogeneous
Networks", arXiv:1812.06127, Theorem 4 with all clients (its terms in the number of sampled clients vanish) and L_- = L.

Derived: the local objective is (rho - L)-strongly convex, so |y_i - x| <= (1+g)/(rho-L) |grad f_i(x)|; x+ - x is
-(grad f + M)/rho with |M| <= (L (1+g)/(rho-L) + g) mean_i |grad f_i(x)|, and mean_i |grad f_i| <= B |grad f|. K exact
local gradient steps of length eta <= 1/(L + rho) have g = (1 - eta (rho - L))^K: the gradient of the local objective
shrinks by I - eta H at each, H its average Hessian between rho - L and rho + L.
"""

from __future__ import annotations

from sympy import Le, Lt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

K, T, L, Delta, B_rel, eta, mu_prox = symbols("K T L Delta B_rel eta mu_prox")

CONVEXITY = mu_prox - L
MISS = (1 - eta * CONVEXITY) ** K
DESCENT = (
    1 / mu_prox
    - MISS * B_rel / mu_prox
    - L * (1 + MISS) * B_rel / (CONVEXITY * mu_prox)
    - L * (1 + MISS) ** 2 * B_rel**2 / (2 * CONVEXITY**2)
)

INEXACT = Bound(
    id="field.fedprox",
    example="parabolas-clients",
    paper="field",
    title="FedProx, smooth with bounded dissimilarity: the average gradient",
    where="arXiv:1812.06127, Theorem 4, all clients",
    method="fedprox",
    metric="server_gradient",
    needs=("L", "B_rel", "Delta"),
    parameters={"mu_prox": 10 * L * B_rel**2, "eta": 1 / (L + mu_prox)},
    terms={"gap": Delta / (DESCENT * T)},
    trivial=2 * L * Delta,
    conditions=(
        A_STEP,
        Condition("convex local objectives", Lt(L, mu_prox)),
        Condition("step", Le(eta, 1 / (L + mu_prox))),
        Condition("descent", Lt(0, DESCENT)),
        FULL,
    ),
    free=("mu_prox", "eta"),
    hyper={"rho": "mu_prox"},
    exact_gradients=True,
    note="Derived.",
)
