"""FedGLOMO, Lemmas 5 to 7: decrease, energy and error of a round by its first gradient.

The letters are those of `fedglomo_local`; ``start`` is |grad f_i(w_k)|^2.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fedglomo.local import PER_SAMPLE, STEP
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "fedglomo.lemma6-move-printed",
        "total local move with the sign of the text",
        "Lemma 6, l.937",
        "w_end - w_start = eta (v_0 + v_1)",
        stated(
            "<start - eta*first - eta*later - start, test> = eta*<first + later, test>",
            letters=("vectors start, first, later, test",),
        ),
        repaired_by="fedglomo.lemma6-move",
    ),
    Claim(
        "fedglomo.lemma6-move",
        "total local move",
        "Lemma 6, l.937; (31), l.693; (47), l.779; (121), l.1353",
        "w_end - w_start = -eta (v_0 + v_1)",
        stated(
            "<start - eta*first - eta*later - start, test> = -eta*<first + later, test>",
            letters=("vectors start, first, later, test",),
        ),
    ),
    Claim(
        "fedglomo.lemma6-66",
        "smoothness from below and Young's inequality with weight 2 eta K",
        "Lemma 6, eq. (66), l.935-939",
        "<g, move> + (L/2)|move|^2 <= eta K |g|^2 + eta^2 K (1/(4 eta K) + L/2) sum|v|^2",
        stated(
            "<g, move> + L/2*|move|^2 <= eta*K*|g|^2 + eta^2*K*(1/(4*eta*K) + L/2)*|v|^2",
            given=("0 <= eta^2*K*|v|^2 - |move|^2 : 1/(4*eta*K) + L/2",),
            letters=("vectors g, move, v",),
        ),
        ("|move|^2 <= eta^2 K sum|v|^2",),
        steps=("fedglomo.young", "fedglomo.jensen"),
    ),
    Claim(
        "fedglomo.lemma6-67",
        "the weight of the energy",
        "Lemma 6, eq. (67), l.941",
        "eta^2 K (1/(4 eta K) + L/2) <= 3 eta/8",
        stated(
            "eta^2*K*(1/(4*eta*K) + L/2) <= 3*eta/8",
            given=("4*eta*L*K < 1",),
        ),
        ("eta L K < 1/4",),
    ),
    Claim(
        "fedglomo.lemma6-energy",
        "energy of a round with the factor 2/eta, from (58), (60) and the sum of (61); (58) and (64) give 4/eta only",
        "Lemma 6, l.943-945",
        "sum_tau E|v_tau|^2 <= (2/eta) X",
        stated(
            "|before|^2 + |last|^2 <= 2/eta*X",
            given=(
                "K >= 1",
                "eta*L < 1",
                "4*K*eta*L < 1",
                "4*K*(eta*L)^2 < 1 - eta*L",
                "0 <= 2/eta*X - (1 - eta*L)*(|before|^2 + |last|^2) + |err|^2 - |grad|^2 : 1",
                "0 <= 2*|err|^2 + 2*|grad|^2 - |before|^2 - |last|^2 : 1/2",
                "0 <= 2*K*(eta*L)^2*|before|^2 - |err|^2 : 2",
            ),
            letters=(
                "X real",
                "vectors err, grad, before, last",
            ),
        ),
        STEP,
        steps=("fedglomo.lemma5-60", "fedglomo.lemma5-61", "fedglomo.two-squares"),
    ),
    Claim(
        "fedglomo.lemma6",
        "decrease over a round",
        "Lemma 6, eq. (68), l.929 and l.949",
        "X <= 4 eta K |grad f_i(w_k)|^2",
        stated(
            "X <= 4*eta*K*start",
            given=(
                "eta*K*start + 3*eta/8*moved >= X",
                "moved <= 2*X/eta",
            ),
            letters=(
                "moved, start >= 0",
                "X real",
            ),
        ),
        ("(67)", "sum|v|^2 <= (2/eta) X"),
        steps=("fedglomo.lemma6-66", "fedglomo.lemma6-67", "fedglomo.lemma6-energy"),
    ),
    Claim(
        "fedglomo.lemma5",
        "energy of a round by the first gradient; the energy step of Lemma 6 gives half of it",
        "Lemma 5, l.887 and l.925",
        "sum_tau E|v_tau|^2 <= 16 K |grad f_i(w_k)|^2, and <= 8 K |grad f_i(w_k)|^2",
        stated(
            "moved <= 16*K*start if moved <= 2*both, both <= 2*X/eta, 4*eta*K*start >= X",
            "moved <= 8*K*start if moved <= 2*X/eta, 4*eta*K*start >= X",
            letters=(
                "both, moved, start >= 0",
                "X real",
            ),
        ),
        STEP,
        steps=("fedglomo.two-squares", "fedglomo.lemma5-64", "fedglomo.lemma6", "fedglomo.lemma6-energy"),
    ),
    Claim(
        "fedglomo.lemma5-pathwise",
        "the same without expectation: |v_tau| <= (1 + eta L)|v_(tau-1)|",
        "Lemma 5, sharper form",
        "sum_tau |v_tau|^2 <= K (1 + 1/(4 K))^(2 K) |grad f_i(w_k)|^2 <= sqrt(e) K |grad f_i(w_k)|^2",
        stated(
            "|v + change|^2 <= (1 + eta*L)^2*|v|^2 if 0 <= (eta*L)^2*|v|^2 - |change|^2 : 1 + 1/(eta*L)",
            "total + power*growth <= (K + 1)*power*growth if total <= K*power, growth >= 1",
            "1 + eta*L <= 1 + 1/(4*K) if 4*eta*L*K <= 1",
            "(1 + 1/K)^K <= exp(1) for K >= 1",
            "power <= exp(1/2) if power^2 <= exp(1)",
            letters=(
                "power, total > 0",
                "vectors v, change",
            ),
        ),
        ("4 eta L K <= 1", PER_SAMPLE, "one batch serves both points"),
    ),
    Claim(
        "fedglomo.lemma7",
        "error of a round by the first gradient",
        "Lemma 7, l.955 and l.967",
        "sum_tau E|e_tau|^2 <= 32 K^2 (eta L)^2 |grad f_i(w_k)|^2",
        stated(
            "err <= 32*(K*eta*L)^2*start",
            given=(
                "err <= 2*K*(eta*L)^2*moved",
                "moved <= 16*K*start",
            ),
            letters=("err, moved, start >= 0",),
        ),
        STEP,
        steps=("fedglomo.lemma5-60", "fedglomo.lemma5"),
    ),
    Claim(
        "fedglomo.lemma7-sharp",
        "the same with factor 1 in (59) and the pathwise energy",
        "Lemma 7, sharper form",
        "sum_tau E|e_tau|^2 <= sqrt(e) K^2 (eta L)^2 |grad f_i(w_k)|^2",
        stated(
            "err <= exp(1/2)*(K*eta*L)^2*start",
            given=(
                "err <= K*(eta*L)^2*moved",
                "moved <= exp(1/2)*K*start",
            ),
            letters=("err, moved, start >= 0",),
        ),
        ("4 eta L K <= 1",),
        steps=("fedglomo.lemma5-59", "fedglomo.lemma5-60", "fedglomo.lemma5-pathwise"),
    ),
)
