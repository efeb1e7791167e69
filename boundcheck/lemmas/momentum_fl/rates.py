"""Momentum-FL, Theorems 11, 15 and 22: parameters put in, closed forms and what they cost in rounds.

Everything is per unit of A = L Delta/T.  A cap x of the momentum carries the noise: with X the printed cap,
``beta sigma^2/(N K) = A beta/X^2`` in Theorem 11, and ``A y^2/x^3`` with y^2 = beta N K, x^2 = X N K in Theorem 15;
y^2 = beta S, x^2 = Y S in Theorem 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.lemmas.claim import AllOf, Claim, Goal
from boundcheck.lemmas.stated import stated

if TYPE_CHECKING:
    import sympy as sp


def _smaller(x: sp.Expr, w: sp.Expr) -> tuple[tuple[sp.Expr, tuple[sp.Basic, ...]], ...]:
    """Return ``min(x, w)`` case by case."""
    return ((x, (x <= w,)), (w, (w <= x,)))


def closed_22(noise_constant: str) -> Goal:
    """Return the closed form of Theorem 22 with a given constant of its noise term."""
    from sympy import Rational, sqrt

    from boundcheck.lemmas.provers import Identity, Real, frac, positive

    x, w = positive("x w")
    noise = frac(585, 2) + frac(585, 8) + frac(39, 8)
    goals: list[Goal] = [
        Identity(noise, frac(741, 2)),
        Real(7 * sqrt(126), frac(7858, 100)),
        Real(sqrt(1620), frac(4025, 100)),
    ]
    right = 168 + frac(28175, 100) / w + Rational(noise_constant) / x
    for y, case in _smaller(x, w):
        leads = (168, frac(7858, 100) / y, 7 * frac(4025, 100) * y / w**2)
        goals += [Real(lead + noise * y**2 / x**3, right, case) for lead in leads]
    return AllOf(tuple(goals))


def closed_19(noise_constant: str) -> Goal:
    """Return the closed form of Theorem 19 with a given constant of its noise term."""
    from sympy import Rational

    from boundcheck.lemmas.provers import Real, frac, positive

    x, k, w = positive("x k w")
    noise = frac(585, 4) + 390
    right = (168 + frac(375, 4) / k**2 + frac(4699, 10) / w**2) * x**2 + Rational(noise_constant)
    goals: list[Goal] = []
    for y, case in ((k, (k <= w, k <= x)), (w, (w <= k, w <= x)), (x, (x <= k, x <= w))):
        leads = (24, 12 / y**2, frac(65727, 1000) * y / w**3)
        rest = frac(39, 4) * x**2 / y**2 + noise * y**2 / x**2
        goals += [Real(7 * x**2 * lead + rest, right, case) for lead in leads]
    return AllOf(tuple(goals))


def closed_22_alt(noise_constant: str) -> Goal:
    """Return the closed form of the second rate of Theorem 22 with a given constant of its noise term."""
    from sympy import Rational

    from boundcheck.lemmas.provers import Real, frac, positive

    x, rho, w = positive("x rho w")
    right = 168 * x + frac(28175, 100) * x / w + Rational(noise_constant) + frac(741, 2) * rho**2 / x**2
    cases = ((w, (w <= rho,)), (w, (w <= x,)), (rho, (x <= rho, rho <= w)), (x, (rho <= x, x <= w)))
    goals: list[Goal] = []
    for y, case in cases:
        leads = (168, frac(7858, 100) / y, frac(28175, 100) * y / w**2)
        rest = 78 * rho**2 / x**2 + frac(585, 2) * y**2 / x**2
        goals += [Real(x * lead + rest, right, (*case, rho <= w)) for lead in leads]
    return AllOf(tuple(goals))


CLAIMS = (
    Claim(
        "momentum-fl.theorem11",
        "rate of FedAvg-M with constants, per unit of A; x is the cap that carries the noise, h = 78 e^2 a^2",
        "Theorem 11, l.559-566 and l.603-605",
        "7 max(24, 6/beta) + (39/4)/beta + h/beta + (39/2) beta/x^2 <= 168 + (207/4 + h)/c + (285/4 + h)/x",
        stated(
            "168 + 39/4/x + h/x + 39/2*x/x^2 <= 168 + (207/4 + h)/c + (285/4 + h)/x if x <= c, c <= 1",
            "7*6/x + 39/4/x + h/x + 39/2*x/x^2 <= 168 + (207/4 + h)/c + (285/4 + h)/x if x <= c, c <= 1",
            "168 + 39/4/c + h/c + 39/2*c/x^2 <= 168 + (207/4 + h)/c + (285/4 + h)/x if c <= x, c <= 1",
            "7*6/c + 39/4/c + h/c + 39/2*c/x^2 <= 168 + (207/4 + h)/c + (285/4 + h)/x if c <= x, c <= 1",
            letters=("x > 0",),
        ),
        ("beta = min(c, x)", "c <= 1", "gamma L = min(1/24, beta/6)", "a: hidden constant of the third bound on eta"),
        steps=("momentum-fl.theorem11-bound", "momentum-fl.theorem11-conditions", "momentum-fl.theorem11-balance"),
    ),
    Claim(
        "momentum-fl.theorem11-balance",
        "the momentum that balances the gap against the noise",
        "Theorem 11, l.604-605",
        "2 gap noise <= gap^2/beta + beta noise^2, equal at beta = gap/noise",
        stated(
            "2*gap*noise <= beta*noise^2 + gap^2/beta",
            "2*gap*noise = 2*gap*noise",
            letters=("gap, noise > 0",),
        ),
    ),
    Claim(
        "momentum-fl.theorem11-constant-step",
        "the conditions on eta do not fade with T once T >= M = N K L Delta/sigma^2",
        "l.193, with Theorem 11, l.562",
        "6 beta gamma L T <= M; beta^3 T <= M",
        stated(
            "6*beta*gamma*L*T <= M",
            "beta^3*T <= M",
            given=(
                "beta <= 1",
                "6*gamma*L <= beta",
                "beta^2*T <= M",
            ),
            letters=("M > 0",),
        ),
        ("beta^2 T <= M, so sigma > 0", "gamma L <= beta/6", "beta <= 1"),
    ),
    Claim(
        "momentum-fl.theorem11-plain",
        "for few rounds the theorem sets beta = 1 and speaks of FedAvg",
        "Theorem 11, l.561, c = 1",
        "1 <= min(1, x) with x^2 = N K L Delta/(sigma^2 T)",
        stated(
            "1 <= min(1, x)",
            given=(
                "x^2*sigma^2*T >= N*K*L*Delta",
                "sigma^2*T <= N*K*L*Delta",
            ),
            letters=("x > 0",),
        ),
        ("sigma^2 T <= N K L Delta",),
    ),
    Claim(
        "momentum-fl.theorem11-rounds",
        "rounds to reach eps2, for any constants; noise = sigma^2/(N K)",
        "Theorem 11, l.566",
        "lead L Delta/T + weight sqrt(L Delta noise/T) <= eps2",
        stated(
            "lead*gap/T + weight*sqrt(gap*noise/T) <= eps2",
            given=(
                "eps2*T >= 2*lead*gap",
                "eps2^2*T >= 4*weight^2*gap*noise",
            ),
            letters=("eps2, gap, lead, noise, weight > 0",),
        ),
        ("T >= 2 lead L Delta/eps2", "T >= 4 weight^2 L Delta noise/eps2^2"),
        steps=("momentum-fl.theorem11",),
    ),
    Claim(
        "momentum-fl.theorem15",
        "rate of FedAvg-M-VR with constants, per unit of A: y^2 = beta N K, x^2 = X N K, w^2 = c N K",
        "Theorem 15, l.737-744 and l.778-781",
        "8 max(24, sqrt(54)/y) + (195/8) y^2/x^3 <= 192 + 58.79/w + 83.2/x",
        stated(
            "A*slow = A*slow",
            "24*sqrt(6) <= 5879/100",
            "192 + 195/(8*x) <= 192 + 416/(5*x) + 5879/(100*w) if x <= w",
            "16633/(200*x) <= 192 + 416/(5*x) + 5879/(100*w) if x <= w",
            "192 + 195*w^2/(8*x^3) <= 192 + 416/(5*x) + 5879/(100*w) if w <= x",
            "5879/(100*w) + 195*w^2/(8*x^3) <= 192 + 416/(5*x) + 5879/(100*w) if w <= x",
            letters=("A, slow, w, x > 0",),
        ),
        ("y = min(x, w)", "a^2 = 1/(312 e^2)", "B >= K/(T beta^2)"),
        steps=("momentum-fl.theorem15-bound", "momentum-fl.start-noise"),
    ),
    Claim(
        "momentum-fl.theorem15-constant-printed",
        "a constant local step for the variance-reduced method, ekl = 1/1000, at beta = T^(-2/3) = 1/t^2",
        "l.38, with Theorem 15, l.739-740",
        "N ekl^2 = 1/1000^2 <= 1/t^2 = beta for every T = t^3",
        stated(
            "(1/1000)^2 <= 1/t^2",
            given=("t >= 1",),
            letters=("t > 0",),
        ),
        ("N = K = L Delta = sigma = 1", "T >= 1"),
        repaired_by="momentum-fl.theorem15-decays",
    ),
    Claim(
        "momentum-fl.theorem15-decays",
        "the printed condition makes the local step vanish with T: no constant step for the variance-reduced method",
        "l.38, with Theorem 15, l.739-740",
        "(N ekl^2)^3 <= N K (L Delta)^2/(sigma^4 T^2)",
        stated(
            "(N*ekl^2)^3 <= N*K*(L*Delta)^2/(sigma^4*T^2)",
            given=(
                "N*ekl^2 <= beta",
                "beta^3*sigma^4*T^2 <= N*K*(L*Delta)^2",
            ),
            letters=("ekl > 0",),
        ),
        ("N ekl^2 <= beta", "beta^3 <= N K (L Delta)^2/(sigma^4 T^2)"),
    ),
    Claim(
        "momentum-fl.theorem15-rounds",
        "rounds to reach half of eps_acc^2 in the noise term; root^3 = L Delta sigma/(N K T)",
        "Theorem 15, l.744",
        "2 weight root^2 <= eps_acc^2",
        stated(
            "2*weight*root^2 <= eps_acc^2",
            given=(
                "root^3*T <= gap*noise",
                "8*weight^3*(gap*noise)^2 <= T^2*eps_acc^6",
            ),
            letters=("gap, noise, root, weight > 0",),
        ),
        ("T >= sqrt(8 weight^3) L Delta sigma/(N K eps_acc^3)",),
        steps=("momentum-fl.theorem15",),
    ),
    Claim(
        "momentum-fl.theorem22-sharper",
        "the same with 449.1 for the noise: 7 sqrt(126) and 741/2 are never needed beside 281.75",
        "Theorem 22, l.1057-1059",
        "7 max(24, sqrt(126)/y, 40.25 y/w^2) + (741/2) y^2/x^3 <= 168 + 281.75/w + 449.1/x",
        stated(
            "585/2 + 585/8 + 39/8 = 741/2",
            "21*sqrt(14) <= 7858/100",
            "18*sqrt(5) <= 4025/100",
            "168 + (585/2 + 585/8 + 39/8)*x^2/x^3 <= 168 + 28175/100/w + 4491/10/x if x <= w",
            "7858/100/x + (585/2 + 585/8 + 39/8)*x^2/x^3 <= 168 + 28175/100/w + 4491/10/x if x <= w",
            "7*4025/100*x/w^2 + (585/2 + 585/8 + 39/8)*x^2/x^3 <= 168 + 28175/100/w + 4491/10/x if x <= w",
            "168 + (585/2 + 585/8 + 39/8)*w^2/x^3 <= 168 + 28175/100/w + 4491/10/x if w <= x",
            "7858/100/w + (585/2 + 585/8 + 39/8)*w^2/x^3 <= 168 + 28175/100/w + 4491/10/x if w <= x",
            "7*4025/100*w/w^2 + (585/2 + 585/8 + 39/8)*w^2/x^3 <= 168 + 28175/100/w + 4491/10/x if w <= x",
            letters=("w, x > 0",),
        ),
        ("y = min(x, w)",),
        steps=("momentum-fl.theorem22-bound", "momentum-fl.start-noise"),
    ),
    Claim(
        "momentum-fl.theorem22-alt-sharper",
        "the second rate with 371.1 for the noise; letters of momentum-fl.theorem22-alt",
        "Theorem 22, l.1061-1065",
        "7 x max(24, sqrt(126)/y, 40.25 y/w^2) + 78 rho^2/x^2 + (585/2) y^2/x^2"
        " <= 168 x + 281.75 x/w + 371.1 + (741/2) rho^2/x^2",
        stated(
            (
                "x*168 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + 741/2*rho^2/x^2 if w "
                "<= rho, rho <= w"
            ),
            (
                "x*7858/100/w + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if w <= rho, rho <= w"
            ),
            (
                "x*28175/100*w/w^2 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if w <= rho, rho <= w"
            ),
            (
                "x*168 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + 741/2*rho^2/x^2 if w "
                "<= x, rho <= w"
            ),
            (
                "x*7858/100/w + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if w <= x, rho <= w"
            ),
            (
                "x*28175/100*w/w^2 + 78*rho^2/x^2 + 585/2*w^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if w <= x, rho <= w"
            ),
            (
                "x*168 + 78*rho^2/x^2 + 585/2*rho^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + 741/2*rho^2/x^2 if "
                "x <= rho, rho <= w, rho <= w"
            ),
            (
                "x*7858/100/rho + 78*rho^2/x^2 + 585/2*rho^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if x <= rho, rho <= w, rho <= w"
            ),
            (
                "x*28175/100*rho/w^2 + 78*rho^2/x^2 + 585/2*rho^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if x <= rho, rho <= w, rho <= w"
            ),
            (
                "x*168 + 78*rho^2/x^2 + 585/2*x^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + 741/2*rho^2/x^2 if "
                "rho <= x, x <= w, rho <= w"
            ),
            (
                "x*7858/100/x + 78*rho^2/x^2 + 585/2*x^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if rho <= x, x <= w, rho <= w"
            ),
            (
                "x*28175/100*x/w^2 + 78*rho^2/x^2 + 585/2*x^2/x^2 <= 168*x + 28175/100*x/w + 3711/10 + "
                "741/2*rho^2/x^2 if rho <= x, x <= w, rho <= w"
            ),
            letters=("w, x > 0",),
        ),
        ("y = min(w, max(rho, x))", "T >= N/S, so rho <= w"),
        steps=("momentum-fl.theorem22-bound", "momentum-fl.start-noise"),
    ),
    Claim(
        "momentum-fl.theorem19-sharper",
        "rate of SCAFFOLD-M with 630 for the noise and 93.75 for the cap; letters of momentum-fl.theorem19-rate",
        "Theorem 19, l.914-918",
        "7 x^2 max(24, 12/y^2, 65.727 y/w^3) + (39/4) x^2/y^2 + (2145/4) y^2/x^2"
        " <= (168 + 93.75/k^2 + 469.9/w^2) x^2 + 630",
        stated(
            (
                "7*x^2*24 + 39/4*x^2/k^2 + (585/4 + 390)*k^2/x^2 <= (168 + 375/4/k^2 + 4699/10/w^2)*x^2 + 630 if "
                "k <= w, k <= x"
            ),
            (
                "7*x^2*12/k^2 + 39/4*x^2/k^2 + (585/4 + 390)*k^2/x^2 <= (168 + 375/4/k^2 + 4699/10/w^2)*x^2 + "
                "630 if k <= w, k <= x"
            ),
            (
                "7*x^2*65727/1000*k/w^3 + 39/4*x^2/k^2 + (585/4 + 390)*k^2/x^2 <= (168 + 375/4/k^2 + "
                "4699/10/w^2)*x^2 + 630 if k <= w, k <= x"
            ),
            (
                "7*x^2*24 + 39/4*x^2/w^2 + (585/4 + 390)*w^2/x^2 <= (168 + 375/4/k^2 + 4699/10/w^2)*x^2 + 630 if "
                "w <= k, w <= x"
            ),
            (
                "7*x^2*12/w^2 + 39/4*x^2/w^2 + (585/4 + 390)*w^2/x^2 <= (168 + 375/4/k^2 + 4699/10/w^2)*x^2 + "
                "630 if w <= k, w <= x"
            ),
            (
                "7*x^2*65727/1000*w/w^3 + 39/4*x^2/w^2 + (585/4 + 390)*w^2/x^2 <= (168 + 375/4/k^2 + "
                "4699/10/w^2)*x^2 + 630 if w <= k, w <= x"
            ),
            (
                "7*x^2*24 + 39/4*x^2/x^2 + (585/4 + 390)*x^2/x^2 <= (168 + 375/4/k^2 + 4699/10/w^2)*x^2 + 630 if "
                "x <= k, x <= w"
            ),
            (
                "7*x^2*12/x^2 + 39/4*x^2/x^2 + (585/4 + 390)*x^2/x^2 <= (168 + 375/4/k^2 + 4699/10/w^2)*x^2 + "
                "630 if x <= k, x <= w"
            ),
            (
                "7*x^2*65727/1000*x/w^3 + 39/4*x^2/x^2 + (585/4 + 390)*x^2/x^2 <= (168 + 375/4/k^2 + "
                "4699/10/w^2)*x^2 + 630 if x <= k, x <= w"
            ),
            letters=("k, w, x > 0",),
        ),
        ("y = min(k, w, x)",),
        steps=("momentum-fl.theorem19-bound", "momentum-fl.theorem19-gamma", "momentum-fl.start-noise"),
    ),
    Claim(
        "momentum-fl.theorem22",
        "rate of SCAFFOLD-M-VR with constants, per unit of A: y^2 = beta S, x^2 = Y S, w^2 = S^2/N",
        "Theorem 22, l.1016-1023 and l.1057-1059",
        "7 max(24, sqrt(126)/y, 40.25 y/w^2) + (741/2) y^2/x^3 <= 168 + 281.75/w + 652.3/x",
        stated(
            "585/2 + 585/8 + 39/8 = 741/2",
            "21*sqrt(14) <= 7858/100",
            "18*sqrt(5) <= 4025/100",
            "168 + (585/2 + 585/8 + 39/8)*x^2/x^3 <= 168 + 28175/100/w + 6523/10/x if x <= w",
            "7858/100/x + (585/2 + 585/8 + 39/8)*x^2/x^3 <= 168 + 28175/100/w + 6523/10/x if x <= w",
            "7*4025/100*x/w^2 + (585/2 + 585/8 + 39/8)*x^2/x^3 <= 168 + 28175/100/w + 6523/10/x if x <= w",
            "168 + (585/2 + 585/8 + 39/8)*w^2/x^3 <= 168 + 28175/100/w + 6523/10/x if w <= x",
            "7858/100/w + (585/2 + 585/8 + 39/8)*w^2/x^3 <= 168 + 28175/100/w + 6523/10/x if w <= x",
            "7*4025/100*w/w^2 + (585/2 + 585/8 + 39/8)*w^2/x^3 <= 168 + 28175/100/w + 6523/10/x if w <= x",
            letters=("w, x > 0",),
        ),
        ("y = min(x, w)", "gamma L = min(1/24, sqrt(beta S/126), S^(3/2)/(40.25 sqrt(beta) N))"),
        steps=("momentum-fl.theorem22-bound", "momentum-fl.start-noise", "momentum-fl.theorem22-gamma"),
    ),
)
