"""Rates that "FedLALR" claims in its theorems, its remarks and its prose; it has no table.

All constants are hidden.  The accuracy of its remarks is that of the squared gradient: its epsilon is eps_acc^2.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sympy import E, LambertW, log, sqrt

from boundcheck.bounds.rate import Rate
from boundcheck.notation import symbols

N, K, T, eps = symbols("N K T eps_acc")
BOUNDED = "bounded stochastic gradients"

_text = partial(Rate, paper="fedlalr")
_own = partial(_text, method="fedlalr", assumptions=(BOUNDED,))

FEDLALR = _own(
    id="fedlalr.rate-corollary1",
    title="FedLALR (Corollary 1)",
    where="Corollary 1, l.179-181",
    printed={"speed-up": 1 / sqrt(N * K * T)},
    bounds=("fedlalr.corollary1", "fedlalr.theorem1R"),
    note="From K T >= N^3 (C2/C1)^2 on, with C2 of order K^4: an asymptotic statement at fixed N and K.",
)
RESTART = replace(
    FEDLALR,
    id="fedlalr.rate-corollary2",
    title="FedLALR with restarted momentum (Corollary 2)",
    where="Corollary 2, l.185-194",
    bounds=("fedlalr.corollary2", "fedlalr.corollary2R"),
    note="The order holds at fixed beta1; the constant of the leading term grows by K/W, up to 1/(1 - beta1).",
)
MAXIMUM = replace(
    FEDLALR,
    id="fedlalr.rate-corollary3",
    title="FedLALR with maximal synchronisation (Corollary 3)",
    where="Corollary 3, l.196-204",
    bounds=("fedlalr.corollary3", "fedlalr.corollary3R"),
)
ADAPTIVE = _own(
    id="fedlalr.rate-theorem2",
    title="FedLALR with adaptive interval (Theorem 2)",
    where="Theorem 2, l.208-212, (346)",
    printed={"speed-up": 1 / sqrt(N * T * log(T))},
    bounds=("fedlalr.theorem2", "fedlalr.theorem2R"),
    note="At K_t = ln t, as in Remark 4: sum K_t ~ T ln T.",
)
REMARK_3 = _own(
    id="fedlalr.remark3",
    title="FedLALR, Remark 3: rounds and messages",
    where="Remark 3, l.183",
    complexity={"rounds": 1 / (N * K * eps**4), "messages": 1 / (K * eps**4)},
    bounds=("fedlalr.corollary1",),
    note="A message has three vectors up and three down (two each with restart), where FedAvg's has one.",
)
_gradients = 1 / (N * eps**4)
REMARK_4 = _own(
    id="fedlalr.remark4",
    title="FedLALR, Remark 4: rounds and messages with adaptive interval",
    where="Remark 4, l.214, l.1649-1655",
    printed=ADAPTIVE.printed,
    complexity={"rounds": _gradients / LambertW(_gradients), "messages": N * _gradients / LambertW(_gradients)},
    bounds=("fedlalr.theorem2-rate",),
    note="Solves T ln T = 1/(N eps^4); but sum_{t <= T} ln t = T ln T - T + O(ln T).",
)
REMARK_4_DERIVED = replace(
    REMARK_4,
    id="fedlalr.remark4-derived",
    title="FedLALR, Remark 4, with the sum of ln t",
    where="Remark 4, with ln T! = T ln T - T + O(ln T)",
    complexity={
        "rounds": _gradients / LambertW(_gradients / E),
        "messages": N * _gradients / LambertW(_gradients / E),
    },
    form="derived",
    row=REMARK_4.id,
    note="The ratio to the printed one goes to 1, like 1 + 1/ln T.",
)
LOCAL_AMSGRAD = _text(
    id="fedlalr.text-local-amsgrad",
    title="Local AMSGrad with a shared rate (Chen et al. 2021)",
    where="l.59",
    method="local-amsgrad",
    says="linear speed-up, the learning rate refreshed periodically",
    printed={"speed-up": 1 / sqrt(N * K * T)},
    assumptions=(BOUNDED,),
    note="The row is in words: the power is that of a linear speed-up.",
)
LAFEDOPT = _text(
    id="fedlalr.text-lafedopt",
    title="LaFedOPT (Wang et al. 2021)",
    where="l.34",
    method="lafedopt",
    says="analysed with full gradients; no linear speed-up",
    assumptions=("full gradients",),
)
LOCAL_ADAALTER = _text(
    id="fedlalr.text-local-adaalter",
    title="Local AdaAlter (Xie et al. 2019)",
    where="l.59",
    method="local-adaalter",
    says="one learning rate, shared by all clients and refreshed at synchronisations",
)
FEDADAM = replace(
    LOCAL_ADAALTER,
    id="fedlalr.text-fedadam",
    title="FedAdam (Reddi et al. 2020)",
    method="fedadam",
    says="one learning rate, shared by all clients",
)
FEDAVG = _text(
    id="fedlalr.text-fedavg",
    title="FedAvg (McMahan et al. 2017)",
    where="l.53",
    method="fedavg",
    says="converges on convex and nonconvex problems; beats minibatch SGD on quadratics",
)
GROWING = replace(
    FEDAVG,
    id="fedlalr.text-growing-intervals",
    title="Local SGD with growing intervals",
    where="l.55",
    says="communication depends on the number of workers only",
)
