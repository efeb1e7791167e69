"""Local SGD and quantised SGD with bounded second moments, nonconvex: the average gradient.

* `LOCAL`: with eta <= 1/L the average of E|grad f|^2 at the clients' mean points of all K T steps is at most 2
  Delta/(eta K T) + 4 eta^2 K^2 L^2 G_rms^2 + L eta sigma^2/(N b). H. Yu, S. Yang, S. Zhu, "Parallel Restarted SGD with
  Faster Convergence and Less Communication", arXiv:1807.06629, Theorem 1. Derived: with h the mean of the clients'
  exact gradients f falls by eta/2 (|grad f|^2 - |grad f - h|^2 + (1 - L eta)|h|^2) - L eta^2 sigma^2/(2 N b), and
  E|y_i - mean y|^2 <= (eta K G_rms)^2; the source has four times that.
* `QUANTISED`: with one step a round, eta <= 1/L and an unbiased quantiser of relative variance q_omega it is at most 2
  Delta/(eta T) + L eta (q_omega G_rms^2 + sigma^2/b)/N. D. Alistarh, D. Grubic, J. Li, R. Tomioka, M. Vojnovic, "QSGD",
  arXiv:1610.02132, section 3, with Ghadimi and Lan's theorem. Derived: the clients' errors are independent, and
  E|Q(g) - grad f_i|^2 <= q_omega E|g|^2 + sigma^2/b.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Min, cbrt, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.bounds.field.normalised import A_STEP, STEPS
from boundcheck.notation import symbols

N, K, T, L, G_rms, Delta, eta, q_omega = symbols("N K T L G_rms Delta eta q_omega")

LOCAL = Bound(
    id="field.local-sgd",
    paper="field",
    title="Local SGD, smooth with bounded second moments: the average gradient",
    where="arXiv:1807.06629, Theorem 1",
    method="fedavg",
    metric="local_gradient",
    needs=("L", "sigma", "G_rms", "Delta"),
    parameters={
        "eta": Min(
            1 / L,
            sqrt(2 * Delta * N / (L * VARIANCE * STEPS)),
            cbrt(Delta / (4 * K**3 * T * L**2 * G_rms**2)),
        )
    },
    terms={
        "gap": 2 * Delta / (eta * STEPS),
        "drift": 4 * eta**2 * K**2 * L**2 * G_rms**2,
        "noise": L * eta * VARIANCE / N,
    },
    trivial=2 * L * Delta,
    conditions=(A_STEP, Condition("step", Le(eta, 1 / L)), FULL),
    free=("eta",),
    note="Derived, with the constants of the source.",
)
QUANTISED = replace(
    LOCAL,
    id="field.qsgd",
    title="Quantised SGD, smooth with bounded second moments: the average gradient",
    where="arXiv:1610.02132, section 3",
    method="fedpaq",
    metric="server_gradient",
    parameters={
        "q_omega": Integer(1),
        "eta": Min(1 / L, sqrt(2 * Delta * N / (L * (q_omega * G_rms**2 + VARIANCE) * T))),
    },
    terms={
        "gap": 2 * Delta / (eta * T),
        "quantiser": L * eta * q_omega * G_rms**2 / N,
        "noise": L * eta * VARIANCE / N,
    },
    conditions=(A_STEP, Condition("step", Le(eta, 1 / L)), ONE_STEP, FULL),
    free=("q_omega", "eta"),
    note="Derived.",
)
