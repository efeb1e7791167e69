"""Momentum-FL, Lemmas 16 to 21: sampled clients with control variates.

As in `momentum_fl`, ``ekl`` stands for eta K L and ``gl`` for gamma L.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "momentum-fl.lemma16-weights",
        "weights of the control variates",
        "Lemma 16, l.819",
        "rho <= 1/S; 2 beta^2/N + 2 beta^2 rho <= 4 beta^2/S; 4 beta + 6 beta^2 rho <= 10 beta;"
        " 2/beta + 6 beta^2 rho <= 8/beta",
        stated(
            "(N - S)/(S*(N - 1)) <= 1/S",
            "2*beta^2/N + 2*beta^2*(N - S)/(S*(N - 1)) <= 4*beta^2/S",
            "4*beta + 6*beta^2*(N - S)/(S*(N - 1)) <= 10*beta",
            "2/beta + 6*beta^2*(N - S)/(S*(N - 1)) <= 8/beta",
            given=(
                "beta <= 1",
                "S >= 1",
                "N >= 2",
                "N >= S",
            ),
        ),
        ("rho = (N - S)/(S (N - 1))", "beta <= 1", "1 <= S <= N", "unstated: N >= 2"),
        steps=("momentum-fl.lemma7",),
    ),
    Claim(
        "momentum-fl.theorem19-gamma-printed",
        "the printed server step meets the condition of Lemma 16",
        "Theorem 19, l.881, with Lemma 16",
        "16 gl^2/beta <= beta/9",
        stated(
            "16*gl^2/beta <= beta/9",
            given=(
                "gl = beta",
                "beta <= 1",
            ),
            letters=("gl > 0",),
        ),
        ("gl = gamma L = beta", "beta <= 1"),
        repaired_by="momentum-fl.theorem19-gamma",
    ),
    Claim(
        "momentum-fl.theorem19-gamma",
        "the server step that meets the condition of Lemma 16",
        "Lemma 16, l.796",
        "16 gl^2/beta <= beta/9",
        stated(
            "16*gl^2/beta <= beta/9",
            given=(
                "gl <= beta/12",
                "beta <= 1",
            ),
            letters=("gl > 0",),
        ),
        ("gl = gamma L <= beta/12", "beta <= 1"),
    ),
    Claim(
        "momentum-fl.lemma17",
        "first local step with control variates",
        "Lemma 17, l.829-848",
        "2 beta^2 gl^2 + (1 - beta)^2 <= 1; 2 beta^2 gl^2 + 1 <= 2",
        stated(
            "2*beta^2*gl^2 + (1 - beta)^2 <= 1",
            "2*beta^2*gl^2 + 1 <= 2",
            given=(
                "beta <= 1",
                "2*beta*gl^2 <= 1",
            ),
            letters=("gl > 0",),
        ),
        ("gl = gamma L <= 1/sqrt(2 beta)", "beta <= 1"),
    ),
    Claim(
        "momentum-fl.lemma18",
        "staleness of the control variates, s = S/N",
        "Lemma 18, l.850-875",
        "(1 - s)(1 + s/2) <= 1 - s/2; (1 - s)(1 + 2/s) <= 2/s; 16 e/576 <= 1/6; 32 e/25 <= 4",
        stated(
            "(1 - s)*(1 + s/2) <= 1 - s/2 if s <= 1",
            "(1 - s)*(1 + 2/s) <= 2/s if s <= 1",
            "exp(1)/36 <= 1/6",
            "32*exp(1)/25 <= 4",
            letters=("s > 0",),
        ),
        ("0 < s <= 1",),
    ),
    Claim(
        "momentum-fl.theorem22-gamma-printed",
        "the printed server step meets the condition of Lemma 20",
        "Theorem 22, l.1018, with Lemma 20",
        "14 gl^2/S <= beta/9",
        stated(
            "14*gl^2/S <= beta/9",
            given=(
                "gl = min(1, sqrt(beta*S))",
                "S >= 1",
                "beta <= 1",
            ),
            letters=("gl > 0",),
        ),
        ("gl = gamma L = min(1, sqrt(beta S))", "S >= 1", "beta <= 1"),
        repaired_by="momentum-fl.theorem22-gamma",
    ),
    Claim(
        "momentum-fl.theorem22-gamma",
        "the server step that meets the condition of Lemma 20",
        "Lemma 20, l.939",
        "14 gl^2/S <= beta/9",
        stated(
            "14*gl^2/S <= beta/9",
            given=(
                "gl <= sqrt(beta*S/126)",
                "S >= 1",
                "beta <= 1",
            ),
            letters=("gl > 0",),
        ),
        ("gl = gamma L <= sqrt(beta S/126)", "S >= 1", "beta <= 1"),
    ),
    Claim(
        "momentum-fl.lemma21-printed",
        "last contraction under the printed hypotheses",
        "Lemma 21, l.1008-1012",
        "1 - S/(2N) + 180 (beta ekl)^2 S/N <= 1 - S/(3N)",
        stated(
            "1 - S/(2*N) + 180*(beta*ekl)^2*S/N <= 1 - S/(3*N)",
            given=(
                "beta <= 1",
                "S >= 1",
                "N >= S",
                "ekl <= exp(-1)/4",
                "10*S*ekl <= N*gl",
                "24*gl <= 1",
            ),
            letters=("ekl, gl > 0",),
        ),
        ("ekl = eta K L <= min(1/(4 e), N gl/(10 S))", "gl = gamma L <= 1/24", "beta <= 1", "1 <= S <= N"),
        repaired_by="momentum-fl.lemma21",
    ),
    Claim(
        "momentum-fl.lemma21",
        "last contraction with the condition it needs",
        "Lemma 21, l.1008-1012",
        "1 - S/(2N) + 180 (beta ekl)^2 S/N <= 1 - S/(3N); 32 e + 1/6 <= 90",
        stated(
            (
                "1 - S/(2*N) + 180*(beta*ekl)^2*S/N <= 1 - S/(3*N) if beta <= 1, S >= 1, N >= S, ekl <= "
                "exp(-1)/4, 10*S*ekl <= N*gl, 24*gl <= 1, 1080*(beta*ekl)^2 <= 1"
            ),
            "32*exp(1) + 1/6 <= 90/1",
            letters=("ekl, gl > 0",),
        ),
        (
            "ekl = eta K L <= min(1/(4 e), N gl/(10 S))",
            "gl = gamma L <= 1/24",
            "beta <= 1",
            "1 <= S <= N",
            "unstated: beta ekl <= 1/sqrt(1080)",
        ),
    ),
)
