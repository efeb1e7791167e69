"""FedLALR with restarted momentum (Corollary 2) and with maximal synchronisation (Corollary 3).

Corollary 2.  If clients start every round with momentum 0, Theorem 1 holds with another drift term: O(1/sqrt(N K T)).
Corollary 3.  If the server takes the largest second moment of the clients for their mean, Theorem 1 holds as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from sympy import Le, Min, sqrt

from boundcheck.bounds.bound import Condition, Remark
from boundcheck.bounds.common import FULL, VARIANCE
from boundcheck.bounds.fedlalr import (
    FLOOR,
    FREE,
    THEOREM_1_PROOF,
    THEOREM_1R,
    WEIGHTS,
    D,
    Delta,
    G,
    K,
    L,
    N,
    T,
    beta1,
    d,
    eps,
    eta,
)
from boundcheck.notation import symbols

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from boundcheck.bounds.bound import Values

W, w_drift, w_square = symbols("W w_drift w_square")


def _weights(v: Values) -> NDArray[np.float64]:
    """Return the total weight of gradient k = 1..K in one round's displacement."""
    k = np.arange(1, int(v["K"]) + 1)
    return np.asarray(1.0 - v["beta1"] ** (v["K"] - k + 1.0), dtype=np.float64)


COROLLARY_2 = replace(
    THEOREM_1_PROOF,
    id="fedlalr.corollary2",
    title="FedLALR with restarted momentum, as printed",
    where="Corollary 2, (224)-(229), l.1192-1206",
    terms={
        **THEOREM_1_PROOF.terms,
        "drift": 2 * G * 4 * K**4 * L**2 * G**2 * (1 - beta1) ** 2 * d * eta**2 / eps**4,
    },
    choices={"restart": True},
    form="printed",
    note="False: the proof's first lemma fails under restart; the leading term lacks the factor K/W(K).",
    refuted_by=("fedlalr.corollary2-224-printed", "fedlalr.corollary2-225-printed"),
    independent_noise=False,
    remark=Remark(
        "restarted momentum takes shorter steps",
        "order survives at fixed beta1, with K/W in the leading term",
    ),
)

COROLLARY_2R = replace(
    THEOREM_1R,
    id="fedlalr.corollary2R",
    title="FedLALR with restarted momentum, repaired",
    where="Corollary 2, repaired: whole rounds, server iterates, effective steps W",
    metric="server_gradient",
    parameters={
        **FREE,
        "W": K - beta1 * (1 - beta1**K) / (1 - beta1),
        "eta": Min(sqrt(N / (K * T)), eps / (4 * L * W)),
    },
    terms={
        "gap": 2 * G * Delta / (eta * T * W),
        "drift": 2 * G * eta**2 * L**2 * d * G**2 / (2 * eps**3) * w_drift / W,
        "adaptivity": 2 * G * G**2 * K * d * D / (2 * eps**3 * T * W),
        "noise": 2 * G * 2 * L * eta * VARIANCE * w_square / (N * eps**2 * W),
        "adaptivity squared": 2 * G * L * eta * G**2 * K**2 * d * D**2 / (4 * eps**6 * T * W),
    },
    conditions=(FULL, Condition("step", Le(eta, eps / (4 * L * W))), FLOOR, *WEIGHTS),
    derived={
        "w_drift": lambda v: float((_weights(v) * np.arange(int(v["K"])) ** 2).sum()),
        "w_square": lambda v: float((_weights(v) ** 2).sum()),
    },
    definitions=("W",),
    choices={"restart": True},
    note="Momentum without bias correction takes W(K) effective steps a round, from (1 - beta1) K at K = 1 up to K.",
)

COROLLARY_3 = replace(
    THEOREM_1_PROOF,
    id="fedlalr.corollary3",
    title="FedLALR with maximal synchronisation",
    where="Corollary 3, l.196-204",
    choices={"sync": "max"},
    form="printed",
    note="The proof's bound; the sharper one of Theorem 1R holds as well.",
    # With one client the maximum is the mean.
    refuted_by=("fedlalr.theorem1-eps-printed",),
    independent_noise=False,
    remark=Remark("as Theorem 1: with one client it is Theorem 1", "as Theorem 1"),
)

COROLLARY_3R = replace(
    THEOREM_1R,
    id="fedlalr.corollary3R",
    title="FedLALR with maximal synchronisation, repaired",
    where="Corollary 3, repaired as Theorem 1R",
    choices={"sync": "max"},
)
