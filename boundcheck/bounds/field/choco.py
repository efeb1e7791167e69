"""CHOCO-SGD with top-k, convex clients with bounded second moments: f at the average of all points.

With G = G_rms, p the spectral gap, a = 1 - k/d, theta = 1 - sqrt(a), and gamma <= min(1, p theta/(16 sqrt(a))), f at
the average of the mean points x_0..x_(T-1) is within delta_x/(2 eta T) + eta G^2/2 + 4 eta G^2/p (4 sqrt(a)/theta +
1/gamma) of f_star.  A. Koloskova, S. U. Stich, M. Jaggi, "Decentralized Stochastic Optimization and Gossip
Algorithms with Compressed Communication", arXiv:1902.00340, has the method, and a rate for strongly convex clients.
The constants are those of this proof.

Derived: as `field.dgd`, but for the disagreement.  With u^2 and v^2 the means of E|x_i - mean x|^2 and E|x_i -
h_i|^2, and since W - I has norm at most 2, u+ <= (1 - gamma p) u + 2 gamma v + eta G and v+ <= sqrt(a) ((1 + 2
gamma) v + 2 gamma u + eta G), from u = v = 0.  With c = 2 sqrt(a)/theta these leave u <= (2 eta G/p)(2 c + 1/gamma),
v <= c (2 gamma u + eta G) alone, because sqrt(a) (1 + 2 gamma) <= 1 - theta/2 and 4 gamma c <= p/2.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Integer, Le, Lt, Min, sqrt

from boundcheck.bounds.bound import Condition
from boundcheck.bounds.field.dgd import MIXED
from boundcheck.bounds.field.ef21 import LOST, THETA
from boundcheck.notation import symbols

d, G_rms, eta, gamma, gap_W, k_top = symbols("d G_rms eta gamma gap_W k_top")

LARGEST = gap_W * THETA / (16 * sqrt(LOST))

CHOCO = replace(
    MIXED,
    id="field.choco",
    form="proof",
    title="CHOCO-SGD with top-k, convex: the value at the average point",
    where="the method of arXiv:1902.00340",
    method="choco",
    parameters={"k_top": Integer(1), **MIXED.parameters, "gamma": Min(1, LARGEST)},
    terms={
        **{name: MIXED.terms[name] for name in ("start", "steps")},
        "disagreement": 4 * eta * G_rms**2 / gap_W * (4 * sqrt(LOST) / THETA + 1 / gamma),
    },
    conditions=(
        *MIXED.conditions,
        Condition("entries", Le(k_top, d)),
        Condition("some exchange", Lt(0, gamma, evaluate=False)),
        Condition("exchange", Le(gamma, Min(1, LARGEST))),
    ),
    free=("k_top", "gap_W", "gamma", "eta"),
    hyper={"k": "k_top"},
    units={"gamma": (0, 0)},
    note="Derived; the constants are those of this proof.",
)
