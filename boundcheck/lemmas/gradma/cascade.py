"""GradMA, Lemmas .2 and .3: a smooth function on which the worker's projection never acts and the models run away.

With z = -x, f = sum_s z_s^2/(2 eta) - z_0 - sum_s w_s (l_s/2)(1 - cos(pi z_(s-1)/(eta l_(s-1)))), where
w_s = (eta l_s/(2 pi)) sin(2 pi z_s/(eta l_s)) and l_s = 2^s.  Gradient steps of length eta move one coordinate after
the other, coordinate s by eta l_s, so that all gradients of a run are orthogonal.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "gradma.cascade",
        "slope of the cascade along coordinate s on the path of gradient steps",
        "Lemma .2, l.183",
        "slope 0 where coordinate s is passed, -l_s where it is next, 0 before",
        stated(
            "0 = 0 = 0",
            "-l_here = -l_here",
            "0 = 0",
            letters=("l_here > 0",),
        ),
        ("z = eta (l_0, ..., l_(k-1), 0, ...) after k steps",),
    ),
    Claim(
        "gradma.cascade-smooth",
        "curvature of the cascade: rows of the Hessian sum to at most (1 + 3 pi + 2 pi)/eta in absolute value",
        "Lemma .2, l.183",
        "eta f_ss = 1 + pi (1 - cos) sin - pi sin cos, eta f_(s,s+1) = -pi cos sin; 1 + 5 pi <= 17",
        stated(
            (
                "(1 - pi*(cos(pi*before/(eta*l_before)) - 1)*sin(pi*here/(eta*l_before)) - "
                "pi*cos(pi*here/(2*eta*l_before))*sin(pi*after/(2*eta*l_before)))/eta = (1 + pi*(1 - "
                "cos(pi*before/(eta*l_before)))*sin(pi*here/(eta*l_before)) - "
                "pi*cos(pi*here/(2*eta*l_before))*sin(pi*after/(2*eta*l_before)))/eta"
            ),
            (
                "-pi*cos(pi*after/(2*eta*l_before))*sin(pi*here/(2*eta*l_before))/eta = "
                "-pi*cos(pi*after/(2*eta*l_before))*sin(pi*here/(2*eta*l_before))/eta"
            ),
            (
                "1 + sin_here*p*(1 - cos_before) - cos_here*sin_after*p <= 1 + 3*p if cos_before <= 1, "
                "cos_before >= -1, sin_here <= 1, sin_here >= -1, sin_after <= 1, sin_after >= -1, cos_here <= "
                "1, cos_here >= -1"
            ),
            (
                "-1 - 3*p <= 1 + sin_here*p*(1 - cos_before) - cos_here*sin_after*p if cos_before <= 1, "
                "cos_before >= -1, sin_here <= 1, sin_here >= -1, sin_after <= 1, sin_after >= -1, cos_here <= "
                "1, cos_here >= -1"
            ),
            "1 + 5*p <= 17 if p <= 22/7",
            letters=(
                "l_before, p > 0",
                "after, before, cos_before, cos_here, here, sin_after, sin_here real",
            ),
        ),
        ("l_s = 2^s", "pi <= 22/7", "sines and cosines lie in [-1, 1]"),
    ),
)
