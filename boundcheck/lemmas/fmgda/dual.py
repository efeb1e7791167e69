"""FMGDA, Lemma 5: one dual step, every displayed line.

Vectors: ``a`` is the dual error (w-bar minus w-star), ``v`` the averaged dual estimator, ``e`` its error
(grad_w F minus v), ``d`` the move of w-star, ``h`` the point w-bar + c_dual v.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

STEP = ("0 < eta <= 1", "6 c_dual L_block <= 1", "mu <= L_block")


CLAIMS = (
    Claim(
        "fmgda.lemma5-27",
        "smoothness bounds F from below by its linear part minus a square",
        "Lemma 5, eq. (27), l.399",
        "F(h) - F(w) - <grad F(w), h - w> >= -(L_block/2) |h - w|^2",
        stated(
            "-<change, step> <= (|step|^2)*L_block*s",
            "L_block/2 = L_block/2",
            given=("0 <= |step|^2*L_block^2*s^2 - |change|^2 : 1/(2*L_block*s)",),
            letters=(
                "s > 0",
                "vectors change, step",
            ),
        ),
        ("|grad F(w + s (h - w)) - grad F(w)| <= L_block s |h - w| for 0 < s <= 1",),
    ),
    Claim(
        "fmgda.lemma5-28",
        "regrouping of the linear term",
        "Lemma 5, eq. (28), l.409",
        "<g, star - w> = <v, star - h> + <g - v, star - h> + <g, h - w>",
        stated(
            "<g, star - w> = <v, star - h> + <g - v, star - h> + <g, h - w>",
            letters=("vectors g, v, w, star, h",),
        ),
    ),
    Claim(
        "fmgda.lemma5-29",
        "(29) is the sum of smoothness, strong concavity and optimality of w-star",
        "Lemma 5, eq. (29), l.414",
        "<v, star - h> + <g - v, star - h> - (mu/2)|star - w|^2 + (L_block/2)|h - w|^2 = sum of three gaps >= 0",
        stated(
            (
                "<v, star - h> + <g - v, star - h> + (|h - w|^2)*L_block/2 - |star - w|^2*mu/2 = <g, star - w> + "
                "|h - w|^2*L_block/2 - <g, h - w> - |star - w|^2*mu/2"
            ),
            letters=("vectors g, v, w, star, h",),
        ),
        ("(27)", "F mu-strongly concave in w", "F(star) >= F(h)"),
        steps=("fmgda.lemma5-27", "fmgda.lemma5-28", "fmgda.a3"),
    ),
    Claim(
        "fmgda.lemma5-30",
        "the step written out in the first inner product",
        "Lemma 5, eq. (30), l.419",
        "<v, star - h> = -(1/c_dual) |h - w|^2 + <v, star - w>",
        stated(
            "<v, star - (w + c_dual*v)> = -|w + c_dual*v - w|^2/c_dual + <v, star - w>",
            letters=("vectors v, w, star",),
        ),
        ("h = w + c_dual v",),
    ),
    Claim(
        "fmgda.lemma5-31",
        "(29) with (30) inserted",
        "Lemma 5, eq. (31), l.424",
        "-<v, a> - <e, a + c_dual v> + (L_block/2 - 1/c_dual)|h - w|^2 - (mu/2)|a|^2 is the right side of (29)",
        stated(
            (
                "-<v, a> - <e, a + c_dual*v> + (L_block/2 - 1/c_dual)*|c_dual*v|^2 - mu/2*|a|^2 = -<v + e, a + "
                "c_dual*v> - mu/2*|a|^2 + L_block/2*|c_dual*v|^2"
            ),
            letters=("vectors a, v, e",),
        ),
        ("h = w + c_dual v",),
        steps=("fmgda.lemma5-29", "fmgda.lemma5-30"),
    ),
    Claim(
        "fmgda.lemma5-32",
        "square of the step",
        "Lemma 5, eq. (32), l.429",
        "|w + eta (h - w) - star|^2 = |w - star|^2 + 2 eta <h - w, w - star> + eta^2 |h - w|^2",
        stated(
            "|w + eta*(h - w) - star|^2 = |w - star|^2 + 2*eta*<h - w, w - star> + eta^2*|h - w|^2",
            letters=("vectors w, star, h",),
        ),
    ),
    Claim(
        "fmgda.lemma5-33-printed",
        "two Young steps, with grad_w F - w-bar printed inside the first norm",
        "Lemma 5, eq. (33), l.437",
        "<g - v, star - h> <= (1/mu)(|g - w|^2 + |g - v|^2) + (mu/4)(|star - w|^2 + |w - h|^2)",
        stated(
            "<g - v, star - h> <= (|g - w|^2 + |g - v|^2)/mu + mu/4*(|star - w|^2 + |w - h|^2)",
            letters=("vectors g, v, w, star, h",),
        ),
        repaired_by="fmgda.lemma5-33",
    ),
    Claim(
        "fmgda.lemma5-33",
        "two Young steps with parameters 1/mu and mu/4",
        "Lemma 5, eq. (33), l.441",
        "<g - v, star - h> <= (2/mu)|g - v|^2 + (mu/4)(|star - w|^2 + |w - h|^2)",
        stated(
            "<g - v, star - h> <= (|g - v|^2 + |g - v|^2)/mu + mu/4*(|star - w|^2 + |w - h|^2)",
            letters=("vectors g, v, w, star, h",),
        ),
    ),
    Claim(
        "fmgda.lemma5-collect",
        "(31), (32) and (33) together bound the new dual error",
        "Lemma 5, l.447-449",
        "|a + eta c_dual v|^2/(2 c_dual eta) <= (1/(2 c_dual eta) - mu/4)|a|^2"
        " + (eta/(2 c_dual) + mu/4 + L_block/2 - 1/c_dual)|c_dual v|^2 + (2/mu)|e|^2",
        stated(
            (
                "|a + eta*c_dual*v|^2/(2*c_dual*eta) <= (1/(2*c_dual*eta) - mu/4)*|a|^2 + (eta/(2*c_dual) + mu/4 "
                "+ L_block/2 - 1/c_dual)*|c_dual*v|^2 + 2/mu*|e|^2"
            ),
            given=("0 <= -<v + e, a + c_dual*v> - mu/2*|a|^2 + L_block/2*|c_dual*v|^2 : 1",),
            letters=("vectors a, v, e",),
        ),
        ("(31)",),
        steps=("fmgda.lemma5-31", "fmgda.lemma5-32", "fmgda.lemma5-33"),
    ),
    Claim(
        "fmgda.lemma5-coefficients",
        "the coefficient of the squared step",
        "Lemma 5, l.450-451",
        "eta/(2 c_dual) + mu/4 + L_block/2 - 1/c_dual <= 3 L_block/4 - 1/(2 c_dual) <= -3/(8 c_dual)",
        stated(
            "eta/(2*c_dual) + mu/4 + L_block/2 - 1/c_dual <= 3*L_block/4 - 1/(2*c_dual) <= -3/(8*c_dual)",
            given=(
                "eta <= 1",
                "6*c_dual*L_block <= 1",
                "mu <= L_block",
            ),
        ),
        STEP,
        steps=("fmgda.kappa",),
    ),
    Claim(
        "fmgda.lemma5-scale",
        "multiplication by 2 c_dual eta",
        "Lemma 5, l.455",
        "coefficients become 1 - c_dual eta mu/2, 3 eta/4 and 4 c_dual eta/mu",
        stated(
            "2*c_dual*eta*(1/(2*c_dual*eta) - mu/4) = 1 - c_dual*eta*mu/2",
            "2*c_dual*eta*3/(8*c_dual) = 3*eta/4",
            "2*c_dual*eta*2/mu = 4*c_dual*eta/mu",
        ),
    ),
    Claim(
        "fmgda.lemma5-target",
        "Young's inequality for the moving maximiser, and Lemma 1 (printed: Lemma 2); x = c_dual eta mu",
        "Lemma 5, l.459",
        "|a + d|^2 <= (1 + x/4)|a|^2 + (1 + 4/x)|d|^2 <= (1 + x/4)|a|^2 + (1 + 4/x) kappa^2 |move|^2",
        stated(
            "|a + d|^2 <= (1 + c_dual*eta*mu/4)*|a|^2 + (1 + 4/(c_dual*eta*mu))*|d|^2",
            (
                "|a + d|^2 <= (1 + c_dual*eta*mu/4)*|a|^2 + (1 + 4/(c_dual*eta*mu))*kappa^2*|move|^2 if 0 <= "
                "kappa^2*|move|^2 - |d|^2 : 1 + 4/(c_dual*eta*mu)"
            ),
            letters=("vectors a, d, move",),
        ),
        ("|d| <= kappa |move|",),
        steps=("fmgda.lemma1-kappa",),
    ),
    Claim(
        "fmgda.lemma5-34-printed",
        "(34) with the previous estimator and with w-bar inside the error norm, as printed",
        "Lemma 5, eq. (34), l.464",
        "|a + eta c_dual v + d|^2 <= (1 + x/4)((1 - x/2)|a|^2 - (3 c_dual^2 eta/4)|v_old|^2"
        " + (4 c_dual eta/mu)|g - w|^2) + (1 + 4/x)|d|^2",
        stated(
            (
                "|a + eta*c_dual*v + d|^2 <= (1 + c_dual*eta*mu/4)*((1 - c_dual*eta*mu/2)*|a|^2 - "
                "3*c_dual^2*eta/4*|v_old|^2 + 4*c_dual*eta/mu*|g_minus_w|^2) + (1 + 4/(c_dual*eta*mu))*|d|^2"
            ),
            given=(
                "eta <= 1",
                "6*c_dual*L_block <= 1",
                "mu <= L_block",
                (
                    "0 <= -<v + e, a + c_dual*v> - mu/2*|a|^2 + L_block/2*|c_dual*v|^2 : 2*c_dual*eta*(1 + "
                    "c_dual*eta*mu/4)"
                ),
            ),
            letters=("vectors a, v, e, d, v_old, g_minus_w",),
        ),
        (*STEP, "(31)"),
        repaired_by="fmgda.lemma5-34",
    ),
    Claim(
        "fmgda.lemma5-34",
        "(34) with the new estimator in both places",
        "Lemma 5, eq. (34), l.464",
        "|a + eta c_dual v + d|^2 <= (1 + x/4)((1 - x/2)|a|^2 - (3 c_dual^2 eta/4)|v|^2"
        " + (4 c_dual eta/mu)|e|^2) + (1 + 4/x)|d|^2",
        stated(
            (
                "|a + eta*c_dual*v + d|^2 <= (1 + c_dual*eta*mu/4)*((1 - c_dual*eta*mu/2)*|a|^2 - "
                "3*c_dual^2*eta/4*|v|^2 + 4*c_dual*eta/mu*|e|^2) + (1 + 4/(c_dual*eta*mu))*|d|^2"
            ),
            given=(
                "eta <= 1",
                "6*c_dual*L_block <= 1",
                "mu <= L_block",
                (
                    "0 <= -<v + e, a + c_dual*v> - mu/2*|a|^2 + L_block/2*|c_dual*v|^2 : 2*c_dual*eta*(1 + "
                    "c_dual*eta*mu/4)"
                ),
            ),
            letters=("vectors a, v, e, d",),
        ),
        (*STEP, "(31)"),
        steps=("fmgda.lemma5-collect", "fmgda.lemma5-coefficients", "fmgda.lemma5-scale", "fmgda.lemma5-target"),
    ),
    Claim(
        "fmgda.lemma5-constants",
        "the numerical constants of the last display",
        "Lemma 5, l.466-472",
        "x <= 1/6; (1 + x/4)(1 - x/2) <= 1 - x/4; 4(1 + x/4) <= 25/6; 1 + 4/x <= 5/x",
        stated(
            "c_dual*eta*mu <= 1/6 if eta <= 1, 6*c_dual*L_block <= 1, mu <= L_block",
            "(1 + x/4)*(1 - x/2) <= 1 - x/4",
            "4*(1 + x/4) <= 25/6 if x <= 1/6",
            "1 + 4/x <= 5/x if x <= 1/6",
            letters=("x > 0",),
        ),
        STEP,
    ),
    Claim(
        "fmgda.lemma5",
        "the whole lemma, pathwise, in one positive semidefinite form",
        "Lemma 5, eq. (26) = (35), l.394 and l.474",
        "|a + eta c_dual v + d|^2 - |a|^2 <= -(c_dual eta mu/4)|a|^2 - (3 c_dual^2 eta/4)|v|^2"
        " + (25 c_dual eta/(6 mu))|e|^2 + (5/(c_dual mu eta))|d|^2",
        stated(
            (
                "|a + c_dual*eta*v + d|^2 - |a|^2 <= -c_dual*eta*mu/4*|a|^2 - 3*c_dual^2*eta/4*|v|^2 + "
                "25*c_dual*eta/(6*mu)*|e|^2 + 5/(c_dual*eta*mu)*|d|^2"
            ),
            given=(
                "eta <= 1",
                "6*c_dual*L_block <= 1",
                "mu <= L_block",
                (
                    "0 <= -<v + e, a + c_dual*v> - mu/2*|a|^2 + L_block/2*|c_dual*v|^2 : 2*c_dual*eta*(1 + "
                    "c_dual*eta*mu/4)"
                ),
            ),
            letters=("vectors a, v, e, d",),
        ),
        (*STEP, "(31)", "|d| <= kappa |change of the averaged primal iterate|"),
        steps=("fmgda.lemma5-34", "fmgda.lemma5-constants", "fmgda.lemma1-kappa"),
    ),
    Claim(
        "fmgda.lemma5-scale-free",
        "the lemma for any step g, without a bound on eta",
        "Lemma 5, scale-free form",
        "|a + g v + d|^2 - |a|^2 <= -(g mu/4)|a|^2 - (g/(8 L_block))|v|^2 + (25 g/(6 mu))|e|^2 + (5/(g mu))|d|^2",
        stated(
            ("|a + g*v + d|^2 - |a|^2 <= -g*mu/4*|a|^2 - g/(8*L_block)*|v|^2 + 25*g/(6*mu)*|e|^2 + 5/(g*mu)*|d|^2"),
            given=(
                "6*g*L_block <= 1",
                "mu <= L_block",
                ("0 <= -<v + e, a + 1/(6*L_block)*v> - mu/2*|a|^2 + L_block/2*|1/(6*L_block)*v|^2 : 2*g*(1 + g*mu/4)"),
            ),
            letters=(
                "g > 0",
                "vectors a, v, e, d",
            ),
        ),
        ("6 g L_block <= 1", "mu <= L_block", "(31) with c_dual = 1/(6 L_block)"),
        steps=("fmgda.lemma5-31", "fmgda.lemma1-kappa"),
    ),
)
