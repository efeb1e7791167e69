"""Adagrad and Adam without momentum, nonconvex with bounded gradients.

R = G_inf + eps bounds every coordinate of sqrt(eps^2 + g^2).

* `ADAGRAD`: the average of E|grad f(x_t)|^2 is at most 2 R Delta/(eta sqrt(T)) + (4 d R^2 + eta d R L) ln(1 + T
  R^2/eps^2)/sqrt(T).
* `ADAM`: it is at most 2 R Delta/(eta T) + E (ln(1 + R^2/((1-beta2) eps^2))/T - ln beta2), with E = 4 d
  R^2/sqrt(1-beta2) + eta d R L/(1-beta2).

A. Defossez, L. Bottou, F. Bach, N. Usunier, "A Simple Convergence Proof of Adam and Adagrad", arXiv:2003.02395,
Theorems 1 and 2 (their epsilon is eps^2, their alpha our eta). Known: neither derived nor compared with the text.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Lt, Rational, log, sqrt

from boundcheck.bounds.bound import Bound, Condition
from boundcheck.bounds.common import FULL
from boundcheck.bounds.field.gradient_descent import ONE_STEP
from boundcheck.notation import symbols

T, d, L, G_inf, Delta, eta, eps, beta2 = symbols("T d L G_inf Delta eta eps beta2")

R = G_inf + eps
PRICE = 4 * d * R**2 / sqrt(1 - beta2) + eta * d * R * L / (1 - beta2)

ADAGRAD = Bound(
    id="field.adagrad",
    paper="field",
    title="Adagrad, smooth with bounded gradients: the average gradient",
    where="arXiv:2003.02395, Theorem 1",
    method="adagrad",
    metric="server_gradient",
    needs=("L", "G_inf", "Delta"),
    parameters={"eps": G_inf / 100, "eta": G_inf / L},
    terms={
        "gap": 2 * R * Delta / (eta * sqrt(T)),
        "gradients": 4 * d * R**2 * log(1 + T * R**2 / eps**2) / sqrt(T),
        "steps": eta * d * R * L * log(1 + T * R**2 / eps**2) / sqrt(T),
    },
    trivial=d * G_inf**2,
    trivial_is_sure=True,
    conditions=(ONE_STEP, FULL),
    free=("eps", "eta"),
    independent_noise=False,
    units={"eta": (0, 1)},
    note="Known.",
)
ADAM = replace(
    ADAGRAD,
    id="field.adam",
    title="Adam without momentum, smooth with bounded gradients: the average gradient",
    where="arXiv:2003.02395, Theorem 2",
    method="rmsprop-corrected",
    parameters={**ADAGRAD.parameters, "beta2": Rational(999, 1000)},
    terms={
        "gap": 2 * R * Delta / (eta * T),
        "squares": PRICE * log(1 + R**2 / ((1 - beta2) * eps**2)) / T,
        "forgetting": PRICE * log(1 / beta2),
    },
    conditions=(*ADAGRAD.conditions, Condition("memory", Lt(beta2, 1))),
    free=("eps", "eta", "beta2"),
)
