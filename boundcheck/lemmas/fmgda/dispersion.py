"""FMGDA, Lemma 8 line by line: dispersion of the estimators within a block.

Norms of families are means over the clients.  ``u``, ``new``, ``old`` are the estimator and the minibatch gradients at
the new and the old local model; ``D`` is the dispersion |u_i - mean u|^2 + |v_i - mean v|^2, ``M`` = chat^2 |mean u|^2
+ c_dual^2 |mean v|^2, ``drift`` the squared distance of the local models to their averages, ``C`` = max(chat, c_dual),
``cap`` = 1/(20 L_Phi K) the largest step, ``alpha`` is beta here.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fmgda.assumptions import MEAN_SQUARE
from boundcheck.lemmas.stated import stated

ORDINARY = "t is no multiple of K"
SHORT = "20 L_Phi K eta <= 1"


CLAIMS = (
    Claim(
        "fmgda.lemma8-520",
        "one step of the centred estimator, and Young",
        "Lemma 8, l.520",
        "u'_i - mean u' = (1 - beta)(u_i - mean u) + new_i - mean new - (1 - beta)(old_i - mean old), squared at most"
        " (1 + g)(1 - beta)^2 |u_i - mean u|^2 + (1 + 1/g)|rest|^2",
        stated(
            (
                "|deviation(new + (1 - beta)*(u - old))|^2 = |(1 - beta)*deviation(u) + deviation(new) - (1 - "
                "beta)*deviation(old)|^2"
            ),
            (
                "|deviation(new + (1 - beta)*(u - old))|^2 <= (1 + g)*(1 - beta)^2*|deviation(u)|^2 + (1 + "
                "1/g)*|deviation(new) - (1 - beta)*deviation(old)|^2"
            ),
            letters=(
                "g > 0",
                "families u, new, old",
            ),
        ),
    ),
    Claim(
        "fmgda.lemma8-524",
        "change of the centred gradients: split, centring and smoothness",
        "Lemma 8, l.524",
        "|rest|^2 <= 2|centred new - old|^2 + 2 beta^2 |centred old|^2, |centred new - old| <= |new - old|,"
        " in all 4 L_block^2 (|d_theta|^2 + |d_w|^2) + 2 beta^2 |centred old|^2",
        stated(
            (
                "|deviation(new) - (1 - beta)*deviation(old)|^2 <= 2*|deviation(new - old)|^2 + "
                "2*beta^2*|deviation(old)|^2"
            ),
            "|deviation(new - old)|^2 <= |new - old|^2",
            (
                "|deviation(new) - (1 - beta)*deviation(old)|^2 <= 4*L_block^2*(|d_theta|^2 + |d_w|^2) + "
                "2*beta^2*|deviation(old)|^2 if 0 <= 2*L_block^2*(|d_theta|^2 + |d_w|^2) - |new - old|^2 : 2"
            ),
            letters=("families new, old, d_theta, d_w",),
        ),
        (MEAN_SQUARE, "d_theta, d_w: last displacements of the local models"),
        steps=("fmgda.lemma2-clients", "fmgda.joint-smoothness"),
    ),
    Claim(
        "fmgda.lemma8-39",
        "centred minibatch gradients: noise, heterogeneity and drift",
        "Lemma 8, eq. (39), l.528-536",
        "|centred G + n|^2 <= 2|centred n|^2 + 2|centred G|^2 <= 2 sigma^2/b + 6 zeta_pair^2 + 24 L_block^2 drift",
        stated(
            "|deviation(G + n)|^2 <= 2*|deviation(n)|^2 + 2*|deviation(G)|^2",
            "|deviation(n)|^2 <= |n|^2",
            (
                "|deviation(G + n)|^2 <= 2*sigma^2/b + 6*zeta_pair^2 + 24*L_block^2*drift if 0 <= sigma^2/b - "
                "|n|^2 : 2, 0 <= 12*L_block^2*drift + 3*zeta_pair^2 - |deviation(G)|^2 : 2"
            ),
            letters=(
                "drift >= 0",
                "families G, n",
            ),
        ),
        ("E|n_i|^2 <= sigma^2/b", "(18): |centred G|^2 <= 12 L_block^2 drift + 3 zeta_pair^2"),
        steps=("fmgda.lemma2-clients", "fmgda.lemma3-20", "fmgda.lemma3-18"),
    ),
    Claim(
        "fmgda.lemma8-39-sharp",
        "the factor 2 in (39) is not needed: the noise has mean zero",
        "Lemma 8, eq. (39), l.528-536, sharper",
        "E|centred G + n|^2 = |centred G|^2 + ((N - 1)/N) sigma^2/b",
        stated(
            "E(|deviation(G + n)|^2) = |deviation(G)|^2 + (N - 1)*sigma^2/(N*b)",
            letters=(
                "families G",
                "noise n over N of sigma^2/b",
            ),
        ),
        ("E n_i = 0, independent over the clients, E|n_i|^2 = sigma^2/b",),
    ),
    Claim(
        "fmgda.lemma8-40",
        "one step of the dispersion of u; before and after are its values",
        "Lemma 8, eq. (40), first inequality, l.541",
        "after <= (1 - beta)^2 (1 + g) before + (1 + 1/g)(4 beta^2 sigma^2/b + 12 beta^2 zeta_pair^2"
        " + 4 L_block^2 moved + 48 beta^2 L_block^2 drift)",
        stated(
            (
                "after <= (1 - beta)^2*(1 + g)*before + 4*sigma^2/b*(1 + 1/g)*beta^2 + 12*zeta_pair^2*(1 + "
                "1/g)*beta^2 + 4*L_block^2*(1 + 1/g)*moved + 48*L_block^2*(1 + 1/g)*beta^2*drift"
            ),
            given=(
                "after <= (1 - beta)^2*(1 + g)*before + (1 + 1/g)*middle",
                "middle <= 4*L_block^2*moved + 2*beta^2*spread",
                "spread <= 2*sigma^2/b + 6*zeta_pair^2 + 24*L_block^2*drift",
            ),
            letters=(
                "g > 0",
                "after, before, drift, middle, moved, spread >= 0",
            ),
        ),
        steps=("fmgda.lemma8-520", "fmgda.lemma8-524", "fmgda.lemma8-39"),
    ),
    Claim(
        "fmgda.lemma8-40-printed",
        "displacement at a communication step, where the directions are averaged and the sum of Lemma 4 is empty",
        "Lemma 8, eq. (40), second inequality, l.541, at t = K, 2 K, ...",
        "mean|theta-bar_t - theta_(t-1,i)|^2 <= 2 chat^2 eta^2 |mean u|^2",
        stated(
            "|mean(theta) - chat*eta*mean(u) - theta|^2 <= 2*(chat*eta)^2*|mean(u)|^2",
            letters=("families theta, u",),
        ),
        ("u_(t,i) = mean u_t",),
        repaired_by="fmgda.theorem1-move-communication",
    ),
    Claim(
        "fmgda.lemma8-41",
        "both blocks together; k = 8 L_block^2 (1 + 1/g) eta^2, rest = noise and drift",
        "Lemma 8, eq. (41), l.546-552",
        "(1 + g)((1 - beta)^2 D_u + (1 - beta2)^2 D_v) + 2 k (chat^2 D_u + c_dual^2 D_v + M) + rest"
        " <= ((1 + g) + 2 k)(D_u + D_v) + 2 k M + rest",
        stated(
            (
                "(1 + g)*((1 - beta)^2*D_u + (1 - beta2)^2*D_v) + 2*k*(chat^2*D_u + c_dual^2*D_v + M) + rest <= "
                "(1 + g + 2*k)*(D_u + D_v) + 2*k*M + rest"
            ),
            given=(
                "beta <= 1",
                "beta2 <= 1",
                "chat <= 1",
                "c_dual <= 1",
            ),
            letters=(
                "g > 0",
                "D_u, D_v, k, M, rest >= 0",
            ),
        ),
        ("beta, beta2, chat, c_dual <= 1", ORDINARY),
        steps=("fmgda.lemma8-40", "fmgda.theorem1-move", "fmgda.lemma4"),
    ),
    Claim(
        "fmgda.lemma8-43-recursion",
        "(41) with g = 1/K and short steps; noise = sigma^2/b + 3 zeta_pair^2, earlier = sum of eta_s^2 C^2 D_s",
        "Lemma 8, eq. (43), l.565-577",
        "D' <= (1 + 27/(25 K)) D + (8 L_Phi eta/5) M + (2/(5 L_Phi)) 2 c1^2 eta^3 noise"
        " + 48 L_block^2 K^2 2 c1^2 eta^4 earlier",
        stated(
            (
                "after <= (1 + 27/(25*K))*D + 8*L_Phi*eta/5*M + 2*2*c1^2/(5*L_Phi)*eta^3*noise + "
                "48*L_block^2*K^2*2*c1^2*eta^4*earlier"
            ),
            given=(
                "K >= 1",
                "20*L_Phi*K*eta <= 1",
                "L_block <= L_Phi",
                (
                    "after <= (1 + 1/K + 16*L_block^2*(1 + K)*eta^2)*D + 16*L_block^2*(1 + K)*eta^2*M + 4*(1 + "
                    "K)*2*(c1*eta^2)^2*noise + 48*L_block^2*(1 + K)*2*(c1*eta^2)^2*drift"
                ),
                "drift <= (K - 1)*earlier",
            ),
            letters=("after, D, drift, earlier, M, noise >= 0",),
        ),
        (SHORT, "L_block <= L_Phi", "K >= 1", ORDINARY),
        steps=("fmgda.lemma8-41", "fmgda.lemma8-42", "fmgda.lemma8-43", "fmgda.lemma4"),
    ),
    Claim(
        "fmgda.lemma8-44-unroll",
        "the recursion unrolled, by induction, from any start; power = (1 + growth)^steps",
        "Lemma 8, eq. (44), l.580-582",
        "D' <= a D + fresh and D <= weighted <= power (start + plain) give D' <= a weighted + fresh"
        " <= a power (start + plain + fresh)",
        stated(
            "after <= (1 + growth)*weighted + fresh <= (1 + growth)*(1 + more)*(start + plain + fresh)",
            given=(
                "after <= (1 + growth)*D + fresh",
                "D <= weighted",
                "weighted <= (1 + more)*(start + plain)",
            ),
            letters=("after, D, fresh, growth, more, plain, start, weighted >= 0",),
        ),
        ("a, power >= 1",),
        steps=("fmgda.lemma8-43-recursion", "fmgda.lemma8-44"),
    ),
    Claim(
        "fmgda.lemma8-44-noise-printed",
        "the noise term in the last line, which lost the factor (1 + 27/(25 K))^K <= 3",
        "Lemma 8, eq. (44), last line, l.582",
        "3 (2 sigma^2 + 6 zeta_pair^2 b)/(5 b) <= (2 sigma^2 + 6 zeta_pair^2 b)/(5 b)",
        stated(
            "3*(2*sigma^2 + 6*zeta_pair^2*b)/(5*b) <= (2*sigma^2 + 6*zeta_pair^2*b)/(5*b)",
        ),
        repaired_by="fmgda.lemma8-44-constants",
    ),
    Claim(
        "fmgda.lemma8-44-constants",
        "coefficients of the unrolled recursion, with the factor 3 everywhere; inside = sum of eta_s^2 x_s",
        "Lemma 8, eq. (44)-(45), l.582-586",
        "3*8/5 <= 5; 3 (2 sigma^2 + 6 zeta_pair^2 b) = 6 sigma^2 + 18 zeta_pair^2 b; eta^2 x <= cap eta x;"
        " eta^4 inside <= cap^5 sum eta_s x_s; 3*48 K^2 K cap^5 = 144 K^3 cap^5",
        stated(
            "3*8/5 <= 5/1",
            "3*(2*sigma^2 + 6*zeta_pair^2*b)/(5*b) = (6*sigma^2 + 18*zeta_pair^2*b)/(5*b)",
            "eta^2*x <= cap*eta*x if eta <= cap",
            "now^4*inside <= cap^5*total if now <= cap, inside <= cap*total",
            "144*L_block^2*K^2*c1^2*K*cap^5 = 144*L_block^2*K^3*c1^2*cap^5",
            letters=(
                "cap > 0",
                "eta, inside, now, total, x >= 0",
            ),
        ),
        ("eta <= cap",),
        steps=("fmgda.lemma8-44-unroll",),
    ),
    Claim(
        "fmgda.lemma8-45",
        "the double sum over a block, by induction, and the sum of at most K steps",
        "Lemma 8, eq. (45), l.586",
        "sum_t eta_(t+1) sum_(s <= t) x_s <= (sum_t eta_(t+1))(sum_s x_s); n eta <= 1/(20 L_Phi)",
        stated(
            "weighted + eta*(total + fresh) <= (steps + eta)*(total + fresh) if weighted <= steps*total",
            "n*eta <= 1/(20*L_Phi) if 20*L_Phi*K*eta <= 1, n <= K",
            letters=("eta, fresh, n, steps, total, weighted >= 0",),
        ),
        (SHORT, "n <= K"),
        steps=("fmgda.lemma8-44-constants",),
    ),
    Claim(
        "fmgda.lemma8-38-first-block-printed",
        "the first block of 4 clients F +- a theta at t = 1: means stay at the stationary point, D_1 = 4 a^2",
        "Lemma 8, eq. (38), l.514, with the start of (44), l.580",
        "(3 chat/(10 N)) eta D_1 <= zeta_pair^2 chat 2 c1^2 eta^3/(16 L_Phi^2)",
        stated(
            (
                "3*chat/40*1/(20*L_Phi*K)*4*a^2 <= (2*a)^2*chat*2*(L_Phi^2/(20*K*16) + "
                "60*L_Phi^2/4)^2/(16*L_Phi^2)*(1/(20*L_Phi*K))^3"
            ),
            given=("K >= 2",),
        ),
        ("N = 4, b = 1, sigma = 0, zeta_pair = 2 a", "eta = 1/(20 L_Phi K)", "K >= 2"),
        repaired_by="fmgda.lemma8R",
    ),
    Claim(
        "fmgda.lemma8-38",
        "(38) put together as printed, whole = sum of eta D/N over a block, together = sum of eta (|mean u|^2 + ...)",
        "Lemma 8, eq. (38) and (46)-(47), l.514 and l.590-596",
        "(1 - feedback) whole <= together/4 + noise, feedback <= 1/25, and the product with 5 chat/16 is (38)",
        stated(
            "24*whole/25 <= together/4 + (2*sigma^2/(25*b) + zeta_pair^2/5)*2*c1^2/L_Phi^2*cubes",
            (
                "5*chat/16*(together/4 + (2*sigma^2/(25*b) + zeta_pair^2/5)*2*c1^2/L_Phi^2*cubes) = "
                "5*chat/64*together + (sigma^2*chat*2*c1^2/(40*b*L_Phi^2) + "
                "zeta_pair^2*chat*2*c1^2/(16*L_Phi^2))*cubes"
            ),
            given=(
                "(1 - feedback)*whole <= together/4 + (2*sigma^2/(25*b) + zeta_pair^2/5)*2*c1^2/L_Phi^2*cubes",
                "25*feedback <= 1",
            ),
            letters=("cubes, feedback, together, whole >= 0",),
        ),
        ("D = 0 at the start of every block, the first included", "(43) at every t of the block"),
        steps=("fmgda.lemma8-45", "fmgda.lemma8-46", "fmgda.lemma8-40-printed", "fmgda.lemma8-38-first-block-printed"),
    ),
)
