"""Normalised SGD with momentum where the noise has no variance: a moment of order p = p_tail in (1, 2] is enough.

With E|g - grad f_i|^p <= s^p for one sample, s = sigma_p, and n = N b samples a step, the average over K T steps of
E|grad f(x)| is at most Delta/(eta K T) + L eta/2 + 2 L eta (1-beta)/beta + 2 c(N B)/(beta K T) + 2 c(n) (beta^p/(1 -
(1-beta)^p))^(1/p), c(n) = 2^(2/p - 1) s n^(1/p - 1); it is `field.nsgdm` at p = 2.  F. Huebler, I. Fatkhullin, N.
He, "From Gradient Clipping to Normalization for Heavy Tailed SGD", arXiv:2410.13849 (beta = 1), and Z. Liu, Z. Zhou,
"Nonconvex Stochastic Optimization under Heavy-Tailed Noises: Optimal Convergence without Gradient Clipping",
arXiv:2412.19529, up to constants.  The constants are those of this proof.

Derived: as `field.nsgdm`, but for the error e of the average, whose part of the noise is a sum of martingale
differences.  In a Hilbert space |x + y|^p <= |x|^p + p |x|^(p-2) <x, y> + 2^(2-p) |y|^p for p in [1, 2], because
|x|^(p-2) x is Hoelder continuous with the constant 2^(2-p); so E|sum|^p <= 2^(2-p) sum E|part|^p, and E|sum| is at
most the root.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Integer, Lt, Rational, sqrt

from boundcheck.bounds.bound import Condition
from boundcheck.bounds.field.normalised import NSGDM, STEPS
from boundcheck.notation import symbols

N, b, B, L, Delta, eta, beta = symbols("N b B L Delta eta beta")
p_tail, sigma_p = symbols("p_tail sigma_p")


def mean_error(samples: Expr) -> Expr:
    """Return the bound on E|error| of a mean over so many samples."""
    return 2 ** (2 / p_tail - 1) * sigma_p * samples ** (1 / p_tail - 1)


HEAVY = replace(
    NSGDM,
    id="field.nsgdm-heavy",
    title="Normalised SGD with momentum, heavy-tailed noise, smooth: the average norm of the gradient",
    where="arXiv:2410.13849 and arXiv:2412.19529, up to constants",
    needs=("L", "p_tail", "sigma_p", "Delta"),
    parameters={"beta": Integer(1), "eta": sqrt(Rational(2) * Delta * beta / (L * STEPS)), "B": b},
    terms={
        **{name: NSGDM.terms[name] for name in ("gap", "curvature", "drift")},
        "start": 2 * mean_error(N * B) / (beta * STEPS),
        "noise": 2 * mean_error(N * b) * (beta**p_tail / (1 - (1 - beta) ** p_tail)) ** (1 / p_tail),
    },
    conditions=(*NSGDM.conditions, Condition("a moment above the first", Lt(1, p_tail))),
    note="Derived; the constants are those of this proof.",
)
