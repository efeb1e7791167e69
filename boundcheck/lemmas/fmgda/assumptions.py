"""FMGDA, Assumptions 1 to 3 and their consequences, Lemma 1 line by line, and the AUC problem itself.

``d_theta`` and ``d_w`` are moves of the two variables, ``turn`` what a gradient changes along a move.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

CONCAVE = "unstated: <grad_w F(w1) - grad_w F(w2), w1 - w2> <= -mu |w1 - w2|^2, the concave reading of (8)"
MEAN_SQUARE = "unstated: E|change of grad f_i|^2 <= L_block^2 |move|^2, block by block (A2 prints the first moment)"


CLAIMS = (
    Claim(
        "fmgda.norm-of-mean",
        "the gradient of the average is Lipschitz: norm of a mean against the mean of norms",
        "after Assumption 2, l.135-137",
        "<x, m> <= |x||m|, hence |E X|^2 <= |E X| E|X|, hence |grad F_i(1) - grad F_i(2)| <= L_block |move|",
        stated(
            "<x, m> <= |m|^2*s/2 + |x|^2/(2*s)",
            "center*length = center*length",
            "norm <= move*L_block if norm^2 <= average*norm, average <= move*L_block",
            letters=(
                "center, length, s > 0",
                "average, move, norm >= 0",
                "vectors x, m",
            ),
        ),
        ("E|change of grad f_i| <= L_block |move|",),
    ),
    Claim(
        "fmgda.a2-printed",
        "the printed first moment gives the second moment that Lemmas 7 and 8 use: jump with probability p, else 0",
        "Assumption 2, l.131, against l.508 and l.524",
        "E|X| <= L_block |move| implies E|X|^2 <= L_block^2 |move|^2",
        stated(
            "p*jump^2 <= (L_block*move)^2",
            given=(
                "p <= 1",
                "p*jump <= L_block*move",
            ),
            letters=(
                "move, p > 0",
                "jump >= 0",
            ),
        ),
        ("p jump <= L_block move",),
        repaired_by="fmgda.a2",
    ),
    Claim(
        "fmgda.a2",
        "the mean-square form implies the printed one",
        "Assumption 2, l.131",
        "(E|X|)^2 <= E|X|^2 <= L_block^2 |move|^2, hence E|X| <= L_block |move|",
        stated(
            "|mean(length)|^2 <= |length|^2",
            "first <= L_block*move if first^2 <= second, second <= (L_block*move)^2",
            letters=(
                "move > 0",
                "first, second >= 0",
                "families length",
            ),
        ),
        (MEAN_SQUARE,),
    ),
    Claim(
        "fmgda.lemma7-first-moment-printed",
        "Lemma 7 under the printed Assumption 2: f(x) = M s(x) with probability 1/M, else 0, with s and s' at most 1",
        "Lemma 7, l.500, with Assumption 2, l.131",
        "(M - 1)(new - (1 - beta) old)^2 <= 4 (1 - beta)^2 L_block^2 move^2 + 2 beta^2 sigma^2",
        stated(
            "(M - 1)*(new - (1 - beta)*old)^2 <= 4*(1 - beta)^2*move^2 + 2*beta^2*(M - 1)",
            given=(
                "beta <= 1",
                "M >= 1",
                "new <= 1",
                "new >= -1",
                "old <= 1",
                "old >= -1",
                "new - old <= move",
                "old - new <= move",
            ),
            letters=(
                "M, move > 0",
                "new, old real",
            ),
        ),
        ("N = b = L_block = 1", "sigma^2 = M - 1", "|new|, |old| <= 1", "|new - old| <= move"),
        repaired_by="fmgda.lemma7-statement",
    ),
    Claim(
        "fmgda.joint-smoothness",
        "both variables move: the joint bound that every later proof uses, also as a mean over clients",
        "Lemma 3, l.356; Lemma 6, eq. (36), l.488; Lemma 7, l.508; Lemma 8, l.524",
        "|change of grad_theta F_i|^2 <= 2 L_block^2 (|d_theta|^2 + |d_w|^2)",
        stated(
            "|by_theta + by_w|^2 <= 2*L_block^2*(|d_theta|^2 + |d_w|^2)",
            given=(
                "0 <= L_block^2*|d_theta|^2 - |by_theta|^2 : 2",
                "0 <= L_block^2*|d_w|^2 - |by_w|^2 : 2",
            ),
            letters=("families by_theta, by_w, d_theta, d_w",),
        ),
        ("one variable at a time: |change| <= L_block |move|",),
    ),
    Claim(
        "fmgda.a3-printed",
        "(8) implies the inequality of strong concavity, for F(w) = (bend/2) w^2",
        "Assumption 3, eq. (8), l.141-150",
        "F(w + step) <= F(w) + F'(w) step - (mu/2) step^2",
        stated(
            "bend*(step + w)^2/2 <= bend*w^2/2 + bend*step*w - mu/2*step^2",
            given=("abs(bend) >= mu",),
            letters=("bend, step, w real",),
        ),
        ("|F'(w1) - F'(w2)| = |bend||w1 - w2| >= mu |w1 - w2|",),
        repaired_by="fmgda.a3",
    ),
    Claim(
        "fmgda.a3",
        "the concave reading gives both inequalities, for the mean over clients too, and (8)",
        "Assumption 3, eq. (8), l.141-150",
        "<grad_w F(w + s step) - grad_w F(w), step> <= -mu s |step|^2, of integral -(mu/2)|step|^2 over s in [0, 1];"
        " mu |w1 - w2| <= |change of grad_w F|",
        stated(
            "<mean(change), step> <= -|step|^2*mu*s if 0 <= -<change, s*step> - |s*step|^2*mu : 1/s",
            "mu/2 = mu/2",
            "(|move|^2)*mu^2 <= |turn|^2 if 0 <= -<turn, move> - |move|^2*mu : 2*mu",
            letters=(
                "s > 0",
                "vectors step, turn, move",
                "families change",
            ),
        ),
        (CONCAVE,),
    ),
    Claim(
        "fmgda.kappa",
        "the condition number is at least 1; apart = |w1 - w2| > 0",
        "Lemma 5, l.453",
        "mu apart <= |change of grad_w F| <= L_block apart, hence mu <= L_block",
        stated(
            "mu <= L_block",
            given=(
                "mu*apart <= turn",
                "turn <= L_block*apart",
            ),
            letters=("apart, turn > 0",),
        ),
        steps=("fmgda.a3", "fmgda.norm-of-mean"),
    ),
    Claim(
        "fmgda.lemma1-kappa",
        "the maximiser moves at most kappa times as far: turn = grad_w F at the new theta and the old maximiser",
        "Lemma 1, eq. (13), l.306",
        "mu |w-star(theta_1) - w-star(theta_2)| <= L_block |theta_1 - theta_2|",
        stated(
            "mu^2*|move|^2 <= L_block^2*|d_theta|^2",
            given=(
                "0 <= -<turn, move> - mu*|move|^2 : 2*mu",
                "0 <= L_block^2*|d_theta|^2 - |turn|^2 : 1",
            ),
            letters=("vectors turn, move, d_theta",),
        ),
        (CONCAVE, "grad_w F vanishes at both maximisers", "|turn| <= L_block |d_theta|"),
    ),
    Claim(
        "fmgda.eq9",
        "Phi is differentiable with the gradient of (9): it lies between two parabolas around the linear part",
        "eq. (9), l.162",
        "-(L_block/2)|move|^2 <= Phi(theta + move) - Phi(theta) - <grad_theta F(theta, w-star), move>"
        " <= L_block (kappa + 1/2)|move|^2",
        stated(
            (
                "<g, move> + Phi_old - L_block/2*|move|^2 <= Phi_new if 0 <= Phi_new - mixed : 1, 0 <= mixed - "
                "<g, move> - Phi_old + L_block/2*|move|^2 : 1"
            ),
            (
                "Phi_new <= <g, move> + Phi_old + L_block*(kappa + 1/2)*|move|^2 if 0 <= Phi_old - back : 1, 0 "
                "<= <g + turn, move> + back + L_block/2*|move|^2 - Phi_new : 1, 0 <= L_block^2*|d_w|^2 - "
                "|turn|^2 : 1/(2*L_block*kappa), 0 <= kappa^2*|move|^2 - |d_w|^2 : L_block/(2*kappa)"
            ),
            letters=(
                "back, mixed, Phi_new, Phi_old real",
                "vectors g, turn, move, d_w",
            ),
        ),
        ("F(theta, w) <= Phi(theta), with equality at w-star", "smooth in each variable: L_block"),
        steps=("fmgda.lemma1-kappa",),
    ),
    Claim(
        "fmgda.lemma1-gradient",
        "the gradient of Phi is Lipschitz: by_theta and by_w are its two parts",
        "Lemma 1, eq. (13), l.306",
        "|grad Phi(theta_1) - grad Phi(theta_2)|^2 <= L_block^2 (1 + kappa)^2 |theta_1 - theta_2|^2",
        stated(
            "|by_theta + by_w|^2 <= L_block^2*(1 + kappa)^2*|d_theta|^2",
            given=(
                "0 <= L_block^2*|d_theta|^2 - |by_theta|^2 : 1 + kappa",
                "0 <= (L_block*kappa)^2*|d_theta|^2 - |by_w|^2 : 1 + 1/kappa",
            ),
            letters=("vectors by_theta, by_w, d_theta",),
        ),
        ("|by_theta| <= L_block |d_theta|", "|by_w| <= L_block kappa |d_theta|"),
        steps=("fmgda.eq9", "fmgda.lemma1-kappa"),
    ),
    Claim(
        "fmgda.eq3",
        "the minimax form of AUC: its maximiser, its modulus, and the surrogate it stands for",
        "eq. (2)-(4), l.64-75",
        "w-star = E_neg h - E_pos h; d2F/dw2 = -2 p (1 - p), at most 1/2 in size;"
        " Phi = p (1 - p)(P(m) - 1 + (a - E_pos h)^2 + (b - E_neg h)^2)",
        stated(
            "2*mean_neg*p*(1 - p) - 2*mean_pos*p*(1 - p) - 2*p*(1 - p)*(mean_neg - mean_pos) = 0",
            "2*p*(p - 1) = -2*p*(1 - p)",
            (
                "(mean_neg*p*(1 - p) - mean_pos*p*(1 - p))*(2 + 2*mean_neg - 2*mean_pos) + p*(1 - p)*(var_neg + "
                "(mean_neg - b)^2) + p*(1 - p)*(var_pos + (mean_pos - a)^2) - p*(mean_neg - mean_pos)^2*(1 - p) "
                "= p*(1 - p)*(var_neg + var_pos + (mean_neg - b)^2 + (mean_pos - a)^2 + (1 + mean_neg - "
                "mean_pos)^2 - 1)"
            ),
            "2*p*(1 - p) <= 1/2",
            given=("p <= 1",),
            letters=(
                "p > 0",
                "var_neg, var_pos >= 0",
                "a, b, mean_neg, mean_pos real",
            ),
        ),
        ("p = Pr(y = 1)",),
    ),
)
