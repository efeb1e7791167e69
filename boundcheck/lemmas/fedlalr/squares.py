"""FedLALR, Lemma 2 and the term A3 of Theorem 1: squares of the step.

``clients`` are families over the N clients of vectors of all coordinates; the products with theta are vectors of
their own, tied to the factors by Lemma 8 and Remarks 6 and 8.  ``g_old`` is G_i theta_(r-1,i), ``g_new`` is G_i
(theta_(r,i) - theta_(r-1,i)), ``f_bar`` and ``f_apart`` are grad f_i thetabar and grad f_i (theta_(r-1,i) -
thetabar).
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

BOUNDED = "|grad f_i|, |G_i|, |M_i| <= G_inf in each coordinate"
LOCAL = "k >= 2: no synchronisation before the step"
ROOT = "root = |mean grad f_i thetabar^(1/2)|^2"
INDEPENDENT = "unstated: the noises of the clients are independent"


CLAIMS = (
    Claim(
        "fedlalr.lemma2-95",
        "the jump of the steps split off, with Lemma 8 and Remark 6",
        "Lemma 2, eq. (90)-(95), l.642-652",
        "|mean (g_old + g_new)|^2 <= 2 |mean g_old|^2 + (G_inf^2/(2 eps^6)) mean |vh_jump|^2",
        stated(
            "|mean(g_old + g_new)|^2 <= 2*|mean(g_old)|^2 + 2*G_inf^2/(4*eps^6)*|vh_jump|^2",
            given=(
                "0 <= G_inf^2*|jump|^2 - |g_new|^2 : 2",
                "0 <= |vh_jump|^2/(4*eps^6) - |jump|^2 : 2*G_inf^2",
            ),
            letters=("families g_old, g_new, jump, vh_jump",),
        ),
        ("|g_new| <= G_inf |jump|", "|jump|^2 <= |vh_jump|^2/(4 eps^6)", BOUNDED),
        steps=("fedlalr.lemma6", "fedlalr.lemma8", "fedlalr.remark5"),
    ),
    Claim(
        "fedlalr.lemma2-98",
        "the noise split off: mean zero, and independent between clients",
        "Lemma 2, eq. (96)-(98), steps (e) and (f), l.654-658",
        "E |mean (f_old + error)|^2 = |mean f_old|^2 + (1/N) mean E |error_i|^2",
        stated(
            "E(|mean(f_old + error)|^2) = |mean(f_old)|^2 + E(|error|^2)/N",
            letters=(
                "families f_old",
                "noise error over N",
            ),
        ),
        ("error_i = (G_i - grad f_i) theta_old_i", "theta_old is known before the step", INDEPENDENT),
        steps=("fedlalr.lemma7",),
    ),
    Claim(
        "fedlalr.lemma2-98-printed",
        "the same from Assumption 2 alone: all clients may have the same noise",
        "Lemma 2, eq. (98), step (f), l.658",
        "|mean error_i|^2 <= (1/N) mean |error_i|^2",
        stated(
            "|mean(error)|^2 <= |error|^2/N",
            given=("N >= 2",),
            letters=("families error",),
        ),
        ("N >= 2",),
        repaired_by="fedlalr.lemma2-98",
    ),
    Claim(
        "fedlalr.lemma2-100-equal-printed",
        "the variance bound used as an equality; its part that fails",
        "Lemma 2, eq. (99)-(100), step (h), l.660-662",
        "(2 sigma^2/N)|theta|^2 <= (2/N) E |G - grad f_i|^2 |theta|^2",
        stated(
            "2*sigma^2*steps/N <= 2*error*steps/N",
            given=("error <= sigma^2",),
            letters=("error, steps >= 0",),
        ),
        ("E |G - grad f_i|^2 <= sigma^2",),
        repaired_by="fedlalr.lemma2-100",
    ),
    Claim(
        "fedlalr.lemma2-100",
        "the noise at the steps, through the norm of theta over all d coordinates",
        "Lemma 2, eq. (99)-(100), (110), l.660-662, l.709",
        "(2/N) |error theta|^2 <= 2 d sigma^2/(N eps^2)",
        stated(
            "2*weighted/N <= 2*d*sigma^2/(N*eps^2)",
            given=(
                "weighted <= error*steps",
                "error <= sigma^2",
                "steps <= d/eps^2",
            ),
            letters=("error, steps, weighted >= 0",),
        ),
        ("E |G - grad f_i|^2 <= sigma^2", "|theta|^2 <= d/eps^2"),
        steps=("fedlalr.lemma8", "fedlalr.lemma5-upper"),
    ),
    Claim(
        "fedlalr.lemma2-100-sharp",
        "the same through the largest entry of theta, without the dimension",
        "Lemma 2, eq. (99)-(100), (110), l.660-662, l.709",
        "(2/N) |error theta|^2 <= 2 sigma^2/(N eps^2)",
        stated(
            "2*weighted/N <= 2*sigma^2/(N*eps^2)",
            given=(
                "weighted <= error*largest",
                "error <= sigma^2",
                "largest <= 1/eps^2",
            ),
            letters=("error, largest, weighted >= 0",),
        ),
        ("E |G - grad f_i|^2 <= sigma^2", "|theta|_inf^2 <= 1/eps^2"),
        steps=("fedlalr.lemma8", "fedlalr.lemma5-upper"),
    ),
    Claim(
        "fedlalr.lemma2-109",
        "the mean gradient at thetabar, and what the steps differ from it",
        "Lemma 2, eq. (101)-(109), l.666-706",
        "2 |mean (f_bar + f_apart)|^2 <= (4/eps)|f_root|^2 + (G_inf^2/eps^6) mean |vh_gap|^2",
        stated(
            "2*|mean(f_bar + f_apart)|^2 <= 4/eps*|f_root|^2 + 4*G_inf^2/(4*eps^6)*|vh_gap|^2",
            given=(
                "0 <= G_inf^2*|gap|^2 - |f_apart|^2 : 4",
                "0 <= |vh_gap|^2/(4*eps^6) - |gap|^2 : 4*G_inf^2",
                "0 <= |f_root|^2/eps - |mean(f_bar)|^2 : 4",
            ),
            letters=(
                "vectors f_root",
                "families f_bar, f_apart, gap, vh_gap",
            ),
        ),
        (
            "f_root = mean grad f_i thetabar^(1/2), |mean f_bar|^2 <= |f_root|^2/eps",
            "|f_apart| <= G_inf |gap|",
            "|gap|^2 <= |vh_gap|^2/(4 eps^6)",
        ),
        steps=("fedlalr.lemma6", "fedlalr.lemma8", "fedlalr.remark7", "fedlalr.lemma5-upper"),
    ),
    Claim(
        "fedlalr.lemma2",
        "second moment of the mean of the clients' steps",
        "Lemma 2, eq. (89), (110), l.638, l.709",
        "E |mean G_i theta_i|^2 <= (4/eps) root + (G_inf^2/eps^6) apart + 2 d sigma^2/(N eps^2)"
        " + (G_inf^2/(2 eps^6)) E jump",
        stated(
            "step <= 4/eps*root + G_inf^2/eps^6*apart + 2*sigma^2/(N*eps^2)*d + G_inf^2/eps^6/2*jump",
            given=(
                "step <= 2*old + G_inf^2/eps^6/2*jump",
                "old <= full + noise",
                "noise <= sigma^2/(N*eps^2)*d",
                "2*full <= 4/eps*root + G_inf^2/eps^6*apart",
            ),
            letters=("apart, full, jump, noise, old, root, step >= 0",),
        ),
        (ROOT, "apart = mean |vh_i - vt|^2", "jump = mean |vh_new_i - vh_old_i|^2"),
        steps=("fedlalr.lemma2-95", "fedlalr.lemma2-98", "fedlalr.lemma2-100", "fedlalr.lemma2-109"),
    ),
    Claim(
        "fedlalr.lemma2-sharp",
        "the same without the dimension in the noise",
        "repair of Lemma 2",
        "E |mean G_i theta_i|^2 <= (4/eps) root + (G_inf^2/eps^6) apart + 2 sigma^2/(N eps^2)"
        " + (G_inf^2/(2 eps^6)) E jump",
        stated(
            "step <= 4/eps*root + G_inf^2/eps^6*apart + 2*sigma^2/(N*eps^2) + G_inf^2/eps^6/2*jump",
            given=(
                "step <= 2*old + G_inf^2/eps^6/2*jump",
                "old <= full + noise",
                "noise <= sigma^2/(N*eps^2)",
                "2*full <= 4/eps*root + G_inf^2/eps^6*apart",
            ),
            letters=("apart, full, jump, noise, old, root, step >= 0",),
        ),
        (ROOT, "apart = mean |vh_i - vt|^2", "jump = mean |vh_new_i - vh_old_i|^2"),
        steps=("fedlalr.lemma2-95", "fedlalr.lemma2-98", "fedlalr.lemma2-100-sharp", "fedlalr.lemma2-109"),
    ),
    Claim(
        "fedlalr.term-a3-88",
        "the square of the step inside a round",
        "A3, eq. (84)-(88), l.622-630",
        "|s mean m_new - eta direct|^2 <= (1 + nu) s^2 (G_inf^2/(4 eps^6)) mean |vh_jump|^2"
        " + (1 + 1/nu) eta^2 |direct|^2",
        stated(
            (
                "|s*mean(m_new) - eta*direct|^2 <= (1 + nu)*s^2*G_inf^2/(4*eps^6)*|vh_jump|^2 + (1 + "
                "1/nu)*eta^2*|direct|^2"
            ),
            given=(
                "0 <= G_inf^2*|jump|^2 - |m_new|^2 : (1 + nu)*s^2",
                "0 <= |vh_jump|^2/(4*eps^6) - |jump|^2 : (1 + nu)*s^2*G_inf^2",
            ),
            letters=(
                "nu, s > 0",
                "vectors direct",
                "families m_new, jump, vh_jump",
            ),
        ),
        ("m_new_i = M_i (theta_old_i - theta_new_i)", "|jump|^2 <= |vh_jump|^2/(4 eps^6)", BOUNDED, "nu > 0"),
        steps=("fedlalr.lemma10", "fedlalr.lemma6", "fedlalr.lemma8", "fedlalr.remark5", "fedlalr.lemma3"),
    ),
    Claim(
        "fedlalr.term-a3-111",
        "the bound of A3 inside a round",
        "A3, eq. (22), (111), l.418, l.721",
        "(L/2) E |Z_(r+1) - Z_r|^2 <= (L/2)(1 + nu) s^2 (G_inf^2/(4 eps^6)) jump + (1 + 1/nu) eta^2 (L/2)(Lemma 2)",
        stated(
            (
                "L/2*step <= L/2*(1 + nu)*s^2*G_inf^2/eps^6/4*jump + (1 + 1/nu)*eta^2*L/2*(4/eps*root + "
                "G_inf^2/eps^6*apart + 2*d*sigma^2/(N*eps^2) + G_inf^2/eps^6/2*jump)"
            ),
            given=(
                "step <= (1 + nu)*s^2*G_inf^2/eps^6/4*jump + (1 + 1/nu)*eta^2*direct",
                "direct <= 4/eps*root + G_inf^2/eps^6*apart + 2*d*sigma^2/(N*eps^2) + G_inf^2/eps^6/2*jump",
            ),
            letters=(
                "nu, s > 0",
                "apart, direct, jump, root, step >= 0",
            ),
        ),
        (LOCAL, "s = eta beta1/(1 - beta1)", "nu > 0"),
        steps=("fedlalr.lemma1-inside", "fedlalr.term-a3-88", "fedlalr.lemma2"),
    ),
    Claim(
        "fedlalr.joint-square",
        "the joint momentum error at a synchronisation, squared, in one coordinate",
        "repair of eq. (22)",
        "error^2 <= (G_inf^2/(4 eps^6)) 2 D (fallen + risen)",
        stated(
            "error^2 <= G_inf^2/(4*eps^6)*2*D*(fallen + risen)",
            given=(
                "error <= G_inf/(2*eps^3)*(fallen + risen)",
                "fallen <= D",
                "risen <= D",
            ),
            letters=("D, error, fallen, risen >= 0",),
        ),
        (
            "fallen = mean |vh_old_i - floor|, risen = mean |vh_new_i - floor|",
            "error <= (G_inf/(2 eps^3))(fallen + risen)",
            "fallen, risen <= D = G_inf^2 - eps^2",
        ),
        steps=("fedlalr.joint-error", "fedlalr.joint-bound", "fedlalr.lemma4"),
    ),
    Claim(
        "fedlalr.term-a3-sync",
        "the square of the step at a synchronisation; |half_jumps|^2 = 2 D (fallen + risen), summed over coordinates",
        "repair of eq. (22)",
        "|s error - eta direct|^2 <= (1 + nu) s^2 (G_inf^2/(4 eps^6)) 2 D (fallen + risen)"
        " + (1 + 1/nu) eta^2 |direct|^2",
        stated(
            ("|s*error - eta*direct|^2 <= (1 + nu)*s^2*G_inf^2/(4*eps^6)*|half_jumps|^2 + (1 + 1/nu)*eta^2*|direct|^2"),
            given=("0 <= G_inf^2/(4*eps^6)*|half_jumps|^2 - |error|^2 : (1 + nu)*s^2",),
            letters=(
                "nu, s > 0",
                "vectors error, direct, half_jumps",
            ),
        ),
        ("k = 1", "s = eta beta1/(1 - beta1)", "nu > 0"),
        steps=("fedlalr.joint-square", "fedlalr.lemma10"),
    ),
)
