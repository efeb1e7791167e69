"""Mistakes in proximal terms."""

from __future__ import annotations

from dataclasses import replace

from boundcheck.conform.wrong import Mistake

PROXIMAL = {
    "prox-sign": Mistake("the proximal term has the wrong sign", numbers=lambda m, t: replace(m, rho=-m.rho)),
    "prox-double": Mistake(
        "the proximal gradient is 2 rho (y - x) instead of rho (y - x)",
        numbers=lambda m, t: replace(m, rho=2 * m.rho),
    ),
    "prox-half": Mistake(
        "the proximal gradient is rho/2 (y - x) instead of rho (y - x)",
        numbers=lambda m, t: replace(m, rho=m.rho / 2),
    ),
    "prox-none": Mistake("the proximal term is missing", numbers=lambda m, t: replace(m, rho=0.0)),
    "prox-without-eta": Mistake(
        "the proximal term is not multiplied by the step eta", numbers=lambda m, t: replace(m, rho=m.rho / m.eta)
    ),
}
