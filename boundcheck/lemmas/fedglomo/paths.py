"""FedGLOMO, Lemma 9: two trajectories of one client on the same batches.

Norms: ``b`` is |w_tau - what_tau|, ``a`` is |v_tau - vhat_tau|, ``d`` is |w_k - w_(k-1)|.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fedglomo.local import PER_SAMPLE
from boundcheck.lemmas.stated import stated

SHORT = "2 eta L K^2 <= 1"


CLAIMS = (
    Claim(
        "fedglomo.lemma9-triangle",
        "triangle inequality for three vectors of norms at most p, q and r",
        "Lemma 9, eq. (80), l.1042 and (81), l.1054",
        "|a + b + c|^2 <= (p + q + r)(|a|^2/p + |b|^2/q + |c|^2/r) <= (p + q + r)^2",
        stated(
            "|a + b + c|^2 <= (p + q + r)*(|a|^2/p + |b|^2/q + |c|^2/r)",
            "(p + q + r)*(a2/p + b2/q + c2/r) <= (p + q + r)^2 if a2 <= p^2, b2 <= q^2, c2 <= r^2",
            letters=(
                "p, q, r > 0",
                "a2, b2, c2 >= 0",
                "vectors a, b, c",
            ),
        ),
        ("p, q, r > 0",),
    ),
    Claim(
        "fedglomo.lemma9-81",
        "the estimators differ by three differences, each of one batch at two points or of the old estimators",
        "Lemma 9, eq. (81), l.1048-1054",
        "v_new - vhat_new = (g(w_new) - g(what_new)) + (v_old - vhat_old) - (g(w_old) - g(what_old)),"
        " hence a_new <= L b_new + a_old + L b_old",
        stated(
            (
                "<new + v - old - (new_hat + v_hat - old_hat), test> = <new - new_hat + v - v_hat - (old - "
                "old_hat), test>"
            ),
            letters=("vectors new, old, new_hat, old_hat, v, v_hat, test",),
        ),
        (PER_SAMPLE, "one batch serves the four points"),
        steps=("fedglomo.lemma9-triangle",),
    ),
    Claim(
        "fedglomo.lemma9-82",
        "(81) unfolded, by induction on a_tau <= L b_tau + 2 L sum_(t<tau) b_t",
        "Lemma 9, eq. (82), l.1058",
        "a_new <= L b_new + 2 L (earlier + b_old) <= 2 L (earlier + b_old + b_new)",
        stated(
            (
                "a_new <= L*b_new + 2*L*(earlier + b_old) if a_new <= L*b_new + a_old + L*b_old, a_old <= "
                "L*b_old + 2*L*earlier"
            ),
            "L*b_new + 2*L*(earlier + b_old) <= 2*L*(earlier + b_old + b_new)",
            letters=("a_new, a_old, b_new, b_old, earlier >= 0",),
        ),
        ("(81)", "a_0 <= L b_0"),
        steps=("fedglomo.lemma9-81",),
    ),
    Claim(
        "fedglomo.lemma9-83",
        "distance of the trajectories after one more step",
        "Lemma 9, eq. (83), l.1062-1066",
        "b_new <= b_old + 2 eta L sum_t b_t",
        stated(
            "b_new <= b_old + 2*eta*L*total",
            given=(
                "b_new <= b_old + eta*a",
                "a <= 2*L*total",
            ),
            letters=("a, b_new, b_old, total >= 0",),
        ),
        ("(82)",),
        steps=("fedglomo.lemma9-82",),
    ),
    Claim(
        "fedglomo.lemma9-84-base",
        "base of the induction: the first step",
        "Lemma 9, l.1074",
        "|shift - eta change|^2 <= (1 + eta L)^2 |shift|^2 and 1 + eta L <= 1 + 2 eta L K",
        stated(
            ("|shift - eta*change|^2 <= (1 + eta*L)^2*|shift|^2 if 0 <= L^2*|shift|^2 - |change|^2 : eta^2 + eta/L"),
            "1 + eta*L <= 1 + 2*eta*L*K if K >= 1",
            letters=("vectors shift, change",),
        ),
        ("|change| <= L |shift|", "K >= 1"),
    ),
    Claim(
        "fedglomo.lemma9-85",
        "step of the induction, with power = (1 + y K)^t, y = 2 eta L and total = sum_(u<=t) (1 + y K)^u",
        "Lemma 9, eq. (84)-(85), l.1070-1078",
        "total <= (t + 1) power; (power + y total) d <= power (1 + y (t + 1)) d <= power (1 + y K) d",
        stated(
            "total + power*(1 + K*y) <= (t + 2)*power*(1 + K*y)",
            "(power + y*total)*gap <= (power + y*(t + 1)*power)*gap <= power*(1 + K*y)*gap",
            given=(
                "total <= (t + 1)*power",
                "t + 1 <= K",
            ),
            letters=(
                "power, t, total, y > 0",
                "gap >= 0",
            ),
        ),
        ("t + 1 <= K",),
        steps=("fedglomo.lemma9-83", "fedglomo.lemma9-84-base"),
    ),
    Claim(
        "fedglomo.lemma9-86",
        "distance of the estimators, with power = (1 + 2 eta L K)^tau",
        "Lemma 9, eq. (86), l.1084",
        "a_tau <= 2 L (tau + 1) power d",
        stated(
            "a <= 2*L*(tau + 1)*power*gap",
            given=(
                "a <= 2*L*total*gap",
                "total <= (tau + 1)*power",
            ),
            letters=(
                "power, tau > 0",
                "a, gap, total >= 0",
            ),
        ),
        ("(82)", "(84)"),
        steps=("fedglomo.lemma9-82", "fedglomo.lemma9-85"),
    ),
    Claim(
        "fedglomo.lemma9-87",
        "sum over the local steps, half of the printed one, and the limit of the growth",
        "Lemma 9, eq. (87), l.1090",
        "sum_(tau<K) (tau + 1)(1 + 2 eta L K)^tau <= (K (K + 1)/2)(1 + 2 eta L K)^K;"
        " 2 eta L K <= 1/K; (1 + 1/K)^K <= e",
        stated(
            (
                "total + (K + 1)*power*growth <= (K + 1)*(K + 2)/2*power*growth if total <= K*(K + 1)/2*power, "
                "growth >= 1"
            ),
            "2*eta*L*K <= 1/K if 2*eta*L*K^2 <= 1",
            "(1 + 1/K)^K <= exp(1) for K >= 1",
            letters=("power, total > 0",),
        ),
        (SHORT,),
    ),
    Claim(
        "fedglomo.lemma9",
        "moves of the two trajectories, pathwise; half of the printed constant suffices",
        "Lemma 9, l.1038 and l.1090-1094",
        "|move - hat| <= e eta L K (K + 1) d <= 2 e eta L K (K + 1) d",
        stated(
            (
                "moved <= exp(1)*eta*L*K*(K + 1)*gap if moved <= 2*eta*L*total*gap, total <= K*(K + 1)/2*power, "
                "power <= exp(1)"
            ),
            "exp(1)*eta*L*K*(K + 1)*gap <= 2*exp(1)*eta*L*K*(K + 1)*gap",
            letters=(
                "power > 0",
                "gap, moved, total >= 0",
            ),
        ),
        (SHORT,),
        steps=("fedglomo.lemma9-86", "fedglomo.lemma9-87"),
    ),
)
