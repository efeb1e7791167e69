"""Rates that "FedLALR" claims in its theorems, its remarks and its prose; it has no table.

All constants are hidden.  The accuracy of its remarks is that of the squared gradient: its epsilon is eps_acc^2.
"""

from __future__ import annotations

from sympy import E, LambertW, log, sqrt

from boundcheck.bounds.rate import row_of, table
from boundcheck.notation import symbols

N, K, T, eps = symbols("N K T eps_acc")
BOUNDED = "bounded stochastic gradients"

_speed_up = {"speed-up": 1 / sqrt(N * K * T)}
_adaptive = {"speed-up": 1 / sqrt(N * T * log(T))}
_gradients = 1 / (N * eps**4)
_fixed = {"rounds": 1 / (N * K * eps**4), "messages": 1 / (K * eps**4)}
_growing = {"rounds": _gradients / LambertW(_gradients), "messages": N * _gradients / LambertW(_gradients)}
_derived = {"rounds": _gradients / LambertW(_gradients / E), "messages": N * _gradients / LambertW(_gradients / E)}

_own = row_of("fedlalr", assumptions=(BOUNDED,))
_text = row_of("fedlalr")

# fmt: off
ROWS = table(
    _own("rate-corollary1", "FedLALR (Corollary 1)", "fedlalr", _speed_up, where="Corollary 1, l.179-181",
        bounds=("fedlalr.corollary1", "fedlalr.theorem1R"),
        note="From K T >= N^3 (C2/C1)^2 on, with C2 of order K^4: an asymptotic statement at fixed N and K."),
    _own("rate-corollary2", "FedLALR with restarted momentum (Corollary 2)", "fedlalr", _speed_up,
        where="Corollary 2, l.185-194", bounds=("fedlalr.corollary2", "fedlalr.corollary2R"),
        note="The order holds at fixed beta1; the constant of the leading term grows by K/W, up to 1/(1 - beta1)."),
    _own("rate-corollary3", "FedLALR with maximal synchronisation (Corollary 3)", "fedlalr", _speed_up,
        where="Corollary 3, l.196-204", bounds=("fedlalr.corollary3", "fedlalr.corollary3R"),
        note="From K T >= N^3 (C2/C1)^2 on, with C2 of order K^4: an asymptotic statement at fixed N and K."),
    _own("rate-theorem2", "FedLALR with adaptive interval (Theorem 2)", "fedlalr", _adaptive,
        where="Theorem 2, l.208-212, (346)", bounds=("fedlalr.theorem2", "fedlalr.theorem2R"),
        note="At K_t = ln t, as in Remark 4: sum K_t ~ T ln T."),
    _own("remark3", "FedLALR, Remark 3: rounds and messages", "fedlalr", _fixed, where="Remark 3, l.183",
        bounds=("fedlalr.corollary1",),
        note="A message has three vectors up and three down (two each with restart), where FedAvg's has one."),
    _own("remark4", "FedLALR, Remark 4: rounds and messages with adaptive interval", "fedlalr", _growing,
        where="Remark 4, l.214, l.1649-1655", printed=_adaptive, bounds=("fedlalr.theorem2-rate",),
        note="Solves T ln T = 1/(N eps^4); but sum_{t <= T} ln t = T ln T - T + O(ln T)."),
    _own("remark4-derived", "FedLALR, Remark 4, with the sum of ln t", "fedlalr", _derived,
        where="Remark 4, with ln T! = T ln T - T + O(ln T)", printed=_adaptive, bounds=("fedlalr.theorem2-rate",),
        form="derived", row="fedlalr.remark4", note="The ratio to the printed one goes to 1, like 1 + 1/ln T."),
    _text("text-local-amsgrad", "Local AMSGrad with a shared rate (Chen et al. 2021)", "local-amsgrad", _speed_up,
        (BOUNDED,), where="l.59", words="linear speed-up, the learning rate refreshed periodically",
        note="The row is in words: the power is that of a linear speed-up."),
    _text("text-lafedopt", "LaFedOPT (Wang et al. 2021)", "lafedopt",
        "analysed with full gradients; no linear speed-up", ("full gradients",), where="l.34"),
    _text("text-local-adaalter", "Local AdaAlter (Xie et al. 2019)", "local-adaalter",
        "one learning rate, shared by all clients and refreshed at synchronisations", where="l.59"),
    _text("text-fedadam", "FedAdam (Reddi et al. 2020)", "fedadam", "one learning rate, shared by all clients",
        where="l.59"),
    _text("text-fedavg", "FedAvg (McMahan et al. 2017)", "fedavg",
        "converges on convex and nonconvex problems; beats minibatch SGD on quadratics", where="l.53"),
    _text("text-growing-intervals", "Local SGD with growing intervals", "fedavg",
        "communication depends on the number of workers only", where="l.55"),
)
# fmt: on
