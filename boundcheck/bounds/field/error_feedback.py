"""Error feedback of 2014 (EF-SGD) with top-k and bounded second moments, smooth: the average gradient.

With a = k/d of top-k the average of E|grad f(x_t)|^2 is at most 2 Delta/(eta T) + L eta G_rms^2 + 4 L^2 eta^2 (1-a)
G_rms^2/a^2. S. P. Karimireddy, Q. Rebjock, S. Stich, M. Jaggi, "Error Feedback Fixes SignSGD and other Gradient
Compression Schemes", arXiv:1901.09847, Theorem II (one worker, least gradient). Derived, for clients with errors of
their own: z = x - mean_i e_i goes along the mean gradient, z+ = z - eta g, so f(z) falls by eta/2 (|grad f(x)|^2 - L^2
|z - x|^2) - L eta^2 G_rms^2/2; and E|e+|^2 <= (1-a)(1 + a/(2 (1-a))) E|e|^2 + (1-a)(1 + 2 (1-a)/a) eta^2 G_rms^2 keeps
E|e|^2 below 4 (1-a) eta^2 G_rms^2/a^2.
"""

from __future__ import annotations

from sympy import Integer, Le, Min, cbrt, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.normalised import A_STEP
from boundcheck.notation import symbols

T, d, L, G_rms, Delta, eta, k_top = symbols("T d L G_rms Delta eta k_top")

SHARE = k_top / d

EF_2014 = Bound(
    id="field.ef-sgd",
    paper="field",
    title="EF-SGD with top-k, smooth with bounded second moments: the average gradient",
    where="arXiv:1901.09847, Theorem II",
    method="ef-sgd",
    metric="server_gradient",
    needs=("L", "G_rms", "Delta"),
    parameters={
        "k_top": Integer(1),
        "eta": Min(sqrt(2 * Delta / (L * G_rms**2 * T)), cbrt(Delta * SHARE**2 / (2 * L**2 * G_rms**2 * T))),
    },
    terms={
        "gap": 2 * Delta / (eta * T),
        "steps": L * eta * G_rms**2,
        "errors": 4 * (L * eta) ** 2 * (1 - SHARE) * G_rms**2 / SHARE**2,
    },
    trivial=2 * L * Delta,
    conditions=(A_STEP, Condition("entries", Le(k_top, d)), FULL),
    free=("k_top", "eta"),
    hyper={"k": "k_top"},
    independent_noise=False,
    note="Derived, for any number of clients.",
)
