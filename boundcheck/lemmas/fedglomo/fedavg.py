"""FedAvg without bounded dissimilarity: Lemma 13, one round, and a sharper form of (123) and (124).

``x`` is eta L K; over one round ``U`` is sum_tau E|u_tau|^2, ``G`` is E|grad f(w_k)|^2 and ``G_i`` is
mean_i E|grad f_i(w_k)|^2.  In (123) and (124) ``f`` is the factor of
the gradients and ``v`` that of the noise: 1 and 1 are printed, 2 and 2 or 1 and 2 are true.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fedglomo.basics import SAMPLED
from boundcheck.lemmas.fedglomo.fedavg_local import NOISE
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "fedglomo.eq123-coupling",
        "what the noise of a step adds to later gradients of the same client, by a trajectory without that noise",
        "Lemma 13, eq. (123)-(124), l.1361, sharper form",
        "|gap - eta change| <= (1 + eta L)|gap|; <change, error> <= eta L growth |error|^2;"
        " tau (tau - 1)(x/K) growth <= tau x growth; growth <= (1 + x/K)^K <= sqrt(e); 1 + x sqrt(e) <= 1.83",
        stated(
            "|gap - eta*change|^2 <= (1 + eta*L)^2*|gap|^2 if 0 <= L^2*|gap|^2 - |change|^2 : eta^2 + eta/L",
            (
                "<change, error> <= eta*L*growth*|error|^2 if 0 <= (eta*L*growth)^2*|error|^2 - |change|^2 : "
                "1/(2*eta*L*growth)"
            ),
            "2*tau*(tau - 1)/2*x/K*growth <= tau*x*growth if tau <= K",
            "1 + x/K <= 1 + 1/(2*K) if 2*x <= 1",
            "(1 + 1/K)^K <= exp(1) for K >= 1",
            "power <= exp(1/2) if power^2 <= exp(1)",
            "1 + x*exp(1/2) <= 183/100 if 2*x <= 1",
            letters=(
                "power, tau, x > 0",
                "vectors gap, change, error",
            ),
        ),
        ("x = eta L K <= 1/2", "every sample gradient is L-Lipschitz", *NOISE),
    ),
    Claim(
        "fedglomo.eq123-coupled",
        "square of a noisy sum: only the noise needs a factor; sigma^2 stands for sigma^2/N, N = 1 is (124)",
        "Lemma 13, eq. (123)-(124), l.1357-1359, sharper form",
        "E|total + errors|^2 <= tau sum_t E|u_t|^2 + 1.83 tau sigma^2",
        stated(
            "|tau*mean(u)|^2 <= tau*tau*|u|^2",
            (
                "|total + errors|^2 <= tau*tau*|u|^2 + 183/100*tau*|sigma|^2 if 0 <= tau*tau*|u|^2 - |total|^2 : "
                "1, 0 <= 83/100*tau*|sigma|^2 - 2*<total, errors> : 1, 0 <= tau*|sigma|^2 - |errors|^2 : 1"
            ),
            letters=(
                "tau > 0",
                "vectors total, errors, sigma",
                "families u",
            ),
        ),
        ("x = eta L K <= 1/2", "every sample gradient is L-Lipschitz", *NOISE),
        steps=("fedglomo.eq123-coupling", "fedglomo.jensen", "fedglomo.eq122"),
    ),
    Claim(
        "fedglomo.lemma13-126",
        "first-order term over the sampled clients",
        "Lemma 13, eq. (125)-(126), l.1365-1367",
        "E<g, mean_S total> = <g, mean total>",
        stated(
            "E(<g, sampled(total, A)>) = <g, mean(total)>",
            letters=(
                "vectors g",
                "families total",
                "draw A of S from N",
            ),
        ),
        SAMPLED,
    ),
    Claim(
        "fedglomo.lemma13-129",
        "(126) and (128) collected, for any factors f and v in (123) and (124)",
        "Lemma 13, eq. (127)-(129), l.1369-1381",
        "-(eta/2)(K G + U - gaps) + (eta^2 L/2)(...) = -(eta K/2) G - (eta/2)(1 - f x N (S - 1)/(S (N - 1))) U"
        " + (eta/2) gaps + (eta x/2)(v sigma^2/S + f s own)",
        stated(
            (
                "-eta/2*(K*G + U - gaps) + eta^2*L/2*(N*(S - 1)/(S*(N - 1))*K*(f*U + v*sigma^2/N) + (N - "
                "S)/(S*(N - 1))*K*(f*own + v*sigma^2)) = -eta*K/2*G - eta/2*(1 - f*eta*L*K*N*(S - 1)/(S*(N - "
                "1)))*U + eta/2*gaps + eta*eta*L*K/2*(v*sigma^2/S + f*(N - S)/(S*(N - 1))*own)"
            ),
            letters=("f, G, gaps, own, U, v > 0",),
        ),
        SAMPLED,
        steps=(
            "fedglomo.eq126",
            "fedglomo.lemma13-126",
            "fedglomo.polarisation",
            "fedglomo.noise-weights",
            "fedglomo.eq123",
        ),
    ),
    Claim(
        "fedglomo.lemma13-discard",
        "the coefficient of U may be dropped: as printed, and with the factor 2 for half of the step",
        "Lemma 13, (C), l.1385-1387",
        "1 - x N (S - 1)/(S (N - 1)) - x^2 >= 1/4 for x <= 1/2;"
        " 1 - 2 x N (S - 1)/(S (N - 1)) - 2 x^2 >= 3/8 for x <= 1/4",
        stated(
            "1/4 <= 1 - x*N*(S - 1)/(S*(N - 1)) - x^2 if 2*x <= 1",
            "3/8 <= 1 - 2*x*N*(S - 1)/(S*(N - 1)) - 2*x^2 if 4*x <= 1",
            given=(
                "S >= 1",
                "N >= 2",
                "N >= S",
            ),
            letters=("x > 0",),
        ),
        SAMPLED,
    ),
    Claim(
        "fedglomo.lemma13-130-printed",
        "Lemma 15 inserted into (B), with the printed coefficient",
        "Lemma 13, eq. (130), l.1385",
        "s (eta^2 L K/2)(K/3) 8 <= eta^2 L K^2 s/6",
        stated(
            "(N - S)/(S*(N - 1))*eta^2*L*K/2*K/3*8 <= eta^2*L*K^2*(N - S)/(S*(N - 1))/6",
            given=(
                "S >= 1",
                "N >= 2",
                "N >= S",
            ),
        ),
        repaired_by="fedglomo.lemma13-130",
    ),
    Claim(
        "fedglomo.lemma13-130",
        "Lemma 15 inserted into (B)",
        "Lemma 13, eq. (130), l.1385",
        "s (eta^2 L K/2)(K/3) 8 = eta^2 L K^2 (4/3) s",
        stated(
            "(N - S)/(S*(N - 1))*eta^2*L*K/2*K/3*8 = eta^2*L*K^2*4/3*(N - S)/(S*(N - 1))",
        ),
        steps=("fedglomo.lemma15",),
    ),
    Claim(
        "fedglomo.lemma13-printed",
        "the lemma for f_i = (L/2)|w - a_i|^2, mean a_i = 0, mean|a_i|^2 = 1, at w = 0: one step, no noise, alpha = 0",
        "Lemma 13, eq. (131), l.1341",
        "(eta^2 L^3/2) s <= eta^2 L (s/6) L^2",
        stated(
            "eta^2*L^3/2*(N - S)/(S*(N - 1)) <= eta^2*L*(N - S)/(S*(N - 1))/6*L^2",
            given=(
                "S >= 1",
                "N >= 2",
                "N >= S",
                "2*eta*L <= 1",
            ),
        ),
        ("eta L K <= 1/2", *SAMPLED),
        repaired_by="fedglomo.lemma13",
    ),
    Claim(
        "fedglomo.lemma13",
        "one round of FedAvg, with (123) and (124) repaired by two squares (f = v = 2)",
        "Lemma 13, eq. (131), l.1341",
        "E f(w_new) <= E f(w) - (eta K/2) G + eta^2 L K^2 (8 s/3 + 8 alpha x/(9 N)) G_i"
        " + eta^2 L K ((x/(2 N))(2 + 8 alpha K/9) + 1/S + s K/3) sigma^2",
        stated(
            (
                "new <= value - eta*K/2*|G|^2 + eta^2*L*K^2*(4/3*2*(N - S)/(S*(N - 1)) + "
                "8*alpha_div*eta*L*K/(9*N))*|G_i|^2 + eta^2*L*K/2*(eta*L*K/N*(2 + 8*alpha_div*K/9) + 2/S + 2*(N "
                "- S)/(S*(N - 1))*K/3)*|sigma|^2"
            ),
            given=(
                "S >= 1",
                "N >= 2",
                "N >= S",
                "4*eta*L*K <= 1",
                (
                    "0 <= value - eta*K/2*|G|^2 - eta/2*(1 - 2*eta*L*K*N*(S - 1)/(S*(N - 1)))*|U|^2 + eta/2*|gaps|^2 "
                    "- new + eta*eta*L*K/2*(2*|sigma|^2/S + 2*(N - S)/(S*(N - 1))*|own|^2) : 1"
                ),
                (
                    "0 <= 2*(eta*L*K)^2*|U|^2 + 16*alpha_div*(eta*L*K)^2*K/(9*N)*|G_i|^2 + (eta*L*K)^2/N*(2 + "
                    "8*alpha_div*K/9)*|sigma|^2 - |gaps|^2 : eta/2"
                ),
                "0 <= K/3*(|sigma|^2 + 8*|G_i|^2) - |own|^2 : 2*eta*eta*L*K/2*(N - S)/(S*(N - 1))",
            ),
            letters=(
                "new, value real",
                "vectors G, U, G_i, gaps, own, sigma",
            ),
        ),
        ("unstated: eta L K <= 1/4", "Assumptions 1 and 6", *NOISE, *SAMPLED),
        steps=("fedglomo.lemma13-129", "fedglomo.lemma14", "fedglomo.lemma15", "fedglomo.lemma13-discard"),
    ),
    Claim(
        "fedglomo.lemma13-coupled",
        "one round of FedAvg with the sharper (123) and (124) (f = 1, v = 2): half the sampling term, the printed step",
        "Lemma 13, eq. (131), l.1341",
        "E f(w_new) <= E f(w) - (eta K/2) G + eta^2 L K^2 (4 s/3 + 8 alpha x/(9 N)) G_i"
        " + (eta^2 L K/2)((x/N)(2 + 8 alpha K/9) + 2/S + s K/3) sigma^2",
        stated(
            (
                "new <= value - eta*K/2*|G|^2 + eta^2*L*K^2*(4/3*(N - S)/(S*(N - 1)) + "
                "8*alpha_div*eta*L*K/(9*N))*|G_i|^2 + eta^2*L*K/2*(eta*L*K/N*(2 + 8*alpha_div*K/9) + 2/S + (N - "
                "S)/(S*(N - 1))*K/3)*|sigma|^2"
            ),
            given=(
                "S >= 1",
                "N >= 2",
                "N >= S",
                "2*eta*L*K <= 1",
                (
                    "0 <= value - eta*K/2*|G|^2 - eta/2*(1 - eta*L*K*N*(S - 1)/(S*(N - 1)))*|U|^2 + eta/2*|gaps|^2 - "
                    "new + eta*eta*L*K/2*(2*|sigma|^2/S + (N - S)/(S*(N - 1))*|own|^2) : 1"
                ),
                (
                    "0 <= (eta*L*K)^2*|U|^2 + 16*alpha_div*(eta*L*K)^2*K/(9*N)*|G_i|^2 + (eta*L*K)^2/N*(2 + "
                    "8*alpha_div*K/9)*|sigma|^2 - |gaps|^2 : eta/2"
                ),
                "0 <= K/3*(|sigma|^2 + 8*|G_i|^2) - |own|^2 : eta*eta*L*K/2*(N - S)/(S*(N - 1))",
            ),
            letters=(
                "new, value real",
                "vectors G, U, G_i, gaps, own, sigma",
            ),
        ),
        ("eta L K <= 1/2", "Assumptions 1 and 6, with L for every sample", *NOISE, *SAMPLED),
        steps=(
            "fedglomo.lemma13-129",
            "fedglomo.lemma14",
            "fedglomo.eq123-coupled",
            "fedglomo.lemma15",
            "fedglomo.lemma13-discard",
        ),
    ),
)
