"""FMGDA, Remark 1, and what the repairs of Corollary 1 cost in rounds.

``steps`` = K T counts local steps (the paper's T), ``decay`` = 1/(N steps)^(2/3), ``ln`` = ln(steps + 1); C, r and rho
as in `fmgda_repaired`.
"""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fmgda.conditions import L_PHI
from boundcheck.lemmas.fmgda.repaired import CAPS
from boundcheck.lemmas.stated import stated

PERIOD = "K^3 N^2 = steps: the period of Remark 1"


CLAIMS = (
    Claim(
        "fmgda.remark1-period",
        "orders at the period of Remark 1; eps = (N steps)^(-1/3) = 1/(N K)",
        "Remark 1, l.178-180",
        "K/steps = (N steps)^(-2/3); steps/K = (N steps)^(2/3) = eps^-2; steps = N^-1 eps^-3; steps >= N^2 for K >= 1",
        stated(
            "K^3*N^3 = K^3*N^3",
            "1/(K^2*N^2) = 1/(K^2*N^2)",
            "K^2*N^2 = K^2*N^2",
            "K^3*N^2 = K^3*N^2",
            "K^2*N^2 = K^2*N^2",
            "N^2 <= K^3*N^2",
            given=("K >= 1",),
        ),
        (PERIOD,),
    ),
    Claim(
        "fmgda.remark1-closed",
        "the bound (11) at this period, in closed form; start = 2 gap/chat + 12 L_block^2 dual_start/(c_dual mu)",
        "Remark 1, l.178-180",
        "bound = decay (21 L_Phi start + 40 sigma^2 (1 + 50 kappa^2) + (604800 ln/b^2)(5 sigma^2/mu^2 + sigma^2/20"
        " + sigma^2/(10 b) + zeta_pair^2/4))",
        stated(
            (
                "(20*L_Phi*decay + L_Phi*decay)*start + (20*decay + 20*decay)*sigma^2*(1 + 50*kappa^2) + "
                "(5*sigma^2/mu^2 + sigma^2/20 + sigma^2/(10*b) + zeta_pair^2/4)*2*ln*(288000*decay + "
                "14400*decay)/b^2 = decay*(21*L_Phi*start + 40*sigma^2*(1 + 50*kappa^2) + "
                "604800*ln/b^2*(5*sigma^2/mu^2 + sigma^2/20 + sigma^2/(10*b) + zeta_pair^2/4))"
            ),
            letters=(
                "decay > 0",
                "ln, start >= 0",
            ),
        ),
        (PERIOD, "B = K b"),
        steps=("fmgda.corollary1-assembly", "fmgda.remark1-period"),
    ),
    Claim(
        "fmgda.remark1-constant-steps",
        "at this period no step decays, with 800 already: sum eta^3 = h^3/800, not h^3 ln(steps + 1)",
        "Remark 1, l.178, with l.604 and l.685",
        "L_Phi^3 K^3 h^3 = K^3 N^2 = steps; steps + 3/2 <= 800 steps; steps h^3/(800 steps) = h^3/800 <= h^3 ln(1 + t)",
        stated(
            "K^3*N^2 = K^3*N^2",
            "3/2 + steps <= 800*steps",
            "h^3/800 = h^3/800",
            "1/800 <= log(1 + t) for t >= 1",
            given=("steps >= 1",),
            letters=("steps, t > 0",),
        ),
        (PERIOD, "steps >= 1"),
        steps=("fmgda.remark1-period",),
    ),
    Claim(
        "fmgda.rho-grows",
        "with steps that do not depend on K the drift into communication steps grows like K: no constant C is enough",
        "Theorem 1, eq. (54)-(55) repaired",
        "(51/20) C^2 K <= rho",
        stated(
            "51/20*chat^2*K <= chat^2*(K1*(1 + (K - 1)*r) + 78/400*kappa^2*(L_block/L_Phi)^2)",
            given=(
                "K >= 1",
                "r >= 1",
                "20*K1 >= 51",
            ),
            letters=("K1, r > 0",),
        ),
        ("K1 >= 51/20", "r >= 1"),
        steps=("fmgda.theorem1R-conditions",),
    ),
    Claim(
        "fmgda.smaller-steps",
        "steps shorter by sqrt(K) absorb the factor K - 1 for every C <= 1/6: Lemma 8 gains 1/K",
        "Theorem 1 repaired, eta_t <= 1/(20 L_Phi K^(3/2))",
        "rho/K <= 3/10",
        stated(
            "chat^2*(K1*(1 + (K - 1)*r) + 78/400*kappa^2*(L_block/L_Phi)^2)/K <= 3/10",
            given=(
                "K >= 2",
                "6*chat <= 1",
                "K1 <= 10",
                "100000*r <= 100005",
                "kappa*L_block <= L_Phi",
            ),
            letters=("K1, r > 0",),
        ),
        (CAPS, "K1 <= 10", "r <= 1.00005", "kappa L_block <= L_Phi", "K >= 2"),
        steps=("fmgda.theorem1R-drift", "fmgda.theorem1-ratio"),
    ),
    Claim(
        "fmgda.repair-small-multipliers",
        "first repair of the rounds, C = 1/sqrt(18 K): the leading term at the period of Remark 1",
        "Corollary 1 repaired, first way",
        "K/(steps C) is of order 1/(N sqrt(steps))",
        stated(
            "(N*root_K^3)^2 = N^2*(root_K^2)^3",
            "root_K^2/(N^2*(root_K^2)^3)*root_K = 1/(N*N*root_K^3)",
            letters=("root_K > 0",),
        ),
        (PERIOD, "1/C of order sqrt(K)"),
        steps=("fmgda.corollary1R-assembly", "fmgda.theorem1-55", "fmgda.remark1-period"),
    ),
    Claim(
        "fmgda.lemma8R-shorter",
        "Lemma 8 with steps shorter by sqrt(K): directions and noise gain 1/sqrt(K) twice, the start once",
        "Lemma 8 repaired, eta_t <= 1/(20 L_Phi K^(3/2))",
        "16 L_block^2 (1 + K) eta^2 <= 8 L_Phi eta/(5 sqrt(K)); 4 (1 + K) eta^4 <= 2 eta^3/(5 L_Phi sqrt(K));"
        " n eta <= 1/(20 L_Phi sqrt(K))",
        stated(
            "16*L_block^2*(1 + root_K^2)*eta^2 <= 8*L_Phi*eta/(5*root_K)",
            "4*(1 + root_K^2)*eta^4 <= 2*eta^3/(5*L_Phi*root_K)",
            "n*eta <= 1/(20*L_Phi*root_K) if n <= root_K^2",
            given=(
                "20*L_Phi*root_K^2*root_K*eta <= 1",
                "root_K >= 1",
                "L_block <= L_Phi",
            ),
            letters=(
                "root_K > 0",
                "n >= 0",
            ),
        ),
        ("n <= K", "L_block <= L_Phi", "K >= 1"),
        steps=("fmgda.lemma8-41", "fmgda.lemma8R-block"),
    ),
    Claim(
        "fmgda.repair-shorter-steps",
        "second repair of the rounds, eta_t <= 1/(20 L_Phi K^(3/2)) at K = (steps/N^2)^(2/9); eps = (N steps)^(-1/3)",
        "Corollary 1 repaired, second way",
        "K^(3/2)/steps = eps^2; steps = N^-1 eps^-3; steps/K = N^(-1/3) eps^(-7/3)",
        stated(
            "third_N^3*(third_N^3)^2*root_K^9 = (third_N*root_K)^9",
            "root_K^2*root_K/((third_N^3)^2*root_K^9) = 1/(third_N*root_K)^6",
            "(third_N^3)^2*root_K^9/root_K^2 = (third_N*root_K)^7/third_N",
            letters=("root_K, third_N > 0",),
        ),
        ("K^(9/2) N^2 = steps", "unstated: estimators averaged at the start"),
        steps=("fmgda.lemma8R-shorter", "fmgda.smaller-steps", "fmgda.corollary1R-assembly"),
    ),
    Claim(
        "fmgda.units-printed",
        "F -> scale F with steps eta of order 1/scale is the same algorithm: the caps of the theorem carry over",
        "Theorem 1, l.167",
        "6 c_dual scale L_Phi <= 1",
        stated(
            "6*c_dual*scale*L_block*(1 + L_block/mu) <= 1",
            given=(
                "6*c_dual < 1",
                "6*c_dual*L_block*(1 + L_block/mu) < 1",
                "6*c_dual*L_block*(1 + L_block/mu) < mu",
                "L_block >= mu",
            ),
            letters=("scale > 0",),
        ),
        ("6 c_dual < min(1, 1/L_Phi, mu/L_Phi)", "mu <= L_block", L_PHI),
        repaired_by="fmgda.units",
    ),
    Claim(
        "fmgda.units",
        "what Lemma 5 needs of the actual step c_dual eta does not depend on the scale of F",
        "Theorem 1 repaired",
        "6 c_dual eta scale L_block <= 1 with eta = 1/(20 scale L_Phi K)",
        stated(
            "3*c_dual/(10*K*(1 + L_block/mu)) <= 1",
            given=(
                "6*c_dual <= 1",
                "K >= 1",
                "L_block >= mu",
            ),
        ),
        ("c_dual <= 1/6", "mu <= L_block", "K >= 1", L_PHI),
        steps=("fmgda.lemma5-scale-free",),
    ),
)
