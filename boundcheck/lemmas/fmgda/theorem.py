"""FMGDA, Theorem 1 and Corollary 1: potential function and ledger of constants."""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.fmgda.conditions import L_PHI
from boundcheck.lemmas.stated import stated

CLAIMS = (
    Claim(
        "fmgda.theorem1-48",
        "growth of 1/eta in the decaying regime, with r = (t + e_t)^(1/3) and r_flat = 20 L_Phi K h",
        "Theorem 1, eq. (48), l.606-615",
        "r_new - r_old <= 1/(r_flat r_new)",
        stated(
            "r_new - r_old <= 1/(r_flat*r_new)",
            given=(
                "r_new^3 - r_old^3 = 1",
                "r_new >= r_flat",
            ),
            letters=("r_flat, r_new, r_old > 0",),
        ),
        ("r_new^3 - r_old^3 = 1", "unstated: r_new >= r_flat, i.e. the constant 8000 in e_t"),
    ),
    Claim(
        "fmgda.theorem1-49",
        "forgetting factor of the estimator error",
        "Theorem 1, eq. (49)-(50), l.620-636",
        "(1 - beta)^2 <= 1 - beta; increase - c1 eta <= -60 L_Phi^2 eta/(b N)",
        stated(
            "(1 - beta)^2 <= 1 - beta if beta <= 1",
            (
                "increase - (1/(20*L_Phi*K*h^3) + 60*L_Phi^2/(b*N))*eta <= -60*L_Phi^2*eta/(b*N) if "
                "20*h^3*L_Phi*K*increase <= eta"
            ),
            letters=("increase > 0",),
        ),
        ("increase = 1/eta_t - 1/eta_(t-1) <= eta/(20 h^3 L_Phi K)", "c1 = 1/(20 L_Phi K h^3) + 60 L_Phi^2/(b N)"),
        steps=("fmgda.theorem1-48", "fmgda.theorem1-weight-range"),
    ),
    Claim(
        "fmgda.theorem1-weight",
        "cap of the recursion weight: it holds exactly when the minibatch is small enough",
        "Theorem 1, l.167",
        "L_Phi^2/(20 K N^2) + 60 L_Phi^2/(b N) <= 90 L_Phi^2/(b N) if and only if b <= 600 K N",
        stated(
            "L_Phi^2/(20*K*N^2) + 60*L_Phi^2/(b*N) <= 90*L_Phi^2/(b*N) if b <= 600*K*N",
            "b <= 600*K*N if L_Phi^2/(20*K*N^2) + 60*L_Phi^2/(b*N) <= 90*L_Phi^2/(b*N)",
        ),
        ("b <= 600 K N",),
    ),
    Claim(
        "fmgda.theorem1-potential",
        "every product of a weight of the potential with a coefficient of Lemmas 5 and 7",
        "Theorem 1, l.649-653",
        "6/4 = 3/2, 6*3/4 = 9/2, 6*25/6 = 25, 6*5 = 30, 60/40 = 3/2, 5*60/4 = 75 = 3*25, 8/40 + 10 kappa^2, 2/40",
        stated(
            "6*chat*L_block^2/(c_dual*mu)*c_dual*eta*mu/4 = 3*chat*eta*L_block^2/2",
            "6*chat*L_block^2/(c_dual*mu)*3*c_dual^2*eta/4 = 9*chat*c_dual*eta*L_block^2/(2*mu)",
            "6*chat*L_block^2/(c_dual*mu)*25*c_dual*eta/(6*mu) = 25*chat*eta*(L_block/mu)^2",
            (
                "6*chat*L_block^2/(c_dual*mu)*5*(L_block/mu)^2*(chat*eta)^2/(c_dual*mu*eta) = "
                "30*(L_block/mu)^4*chat^3*eta/c_dual^2"
            ),
            "chat*b*N/(40*L_Phi^2)*60*L_Phi^2/(b*N) = 3*chat/2",
            "5*chat*b*N*L_block^2/(4*mu^2*L_Phi^2)*60*L_Phi^2/(b*N) = 75*chat*(L_block/mu)^2",
            (
                "(chat*b*N/(40*L_Phi^2) + 5*chat*b*N*L_block^2/(4*mu^2*L_Phi^2))*8*eta*L_block^2/(b*N) = "
                "(L_block/L_Phi)^2*chat*eta*(1 + 50*(L_block/mu)^2)/5"
            ),
            "chat*b*N/(40*L_Phi^2)*2*sigma^2*c1^2*eta^3/(b*N) = chat*sigma^2*c1^2*eta^3/(20*L_Phi^2)",
        ),
        steps=("fmgda.lemma5", "fmgda.lemma6", "fmgda.lemma7", "fmgda.theorem1-49"),
    ),
    Claim(
        "fmgda.theorem1-53-noise-printed",
        "coefficient of the dual noise",
        "Theorem 1, eq. (53), l.657-661",
        "(5/4)*2 L_block^2/(mu^2 L_Phi^2) <= 5/(2 mu^2 L_block^2)",
        stated(
            "5/4*2*L_block^2/(mu^2*(L_block*(1 + L_block/mu))^2) <= 5/(2*mu^2*L_block^2)",
            given=(
                "L_block >= mu",
                "L_block >= 1",
            ),
        ),
        ("mu <= L_block", "L_block >= 1", L_PHI),
        repaired_by="fmgda.theorem1-53-noise",
    ),
    Claim(
        "fmgda.theorem1-53-noise",
        "coefficient of the dual noise, with the condition number squared",
        "Theorem 1, eq. (53), l.657-661",
        "(5/4)*2 L_block^2/(mu^2 L_Phi^2) <= (5/2) kappa^2/L_Phi^2",
        stated(
            ("5/4*2*L_block^2/(mu^2*(L_block*(1 + L_block/mu))^2) <= 5/2*(L_block/mu)^2/(L_block*(1 + L_block/mu))^2"),
            given=("L_block >= mu",),
        ),
        ("mu <= L_block", L_PHI),
        steps=("fmgda.theorem1-potential",),
    ),
    Claim(
        "fmgda.corollary1-11-noise-printed",
        "dual noise coefficient of the corollary against the one the proof gives",
        "Corollary 1, eq. (11), l.176",
        "(5/2) kappa^2 <= 5/mu^2",
        stated(
            "5/2*(L_block/mu)^2 <= 5/mu^2",
            given=(
                "L_block >= mu",
                "L_block >= 1",
            ),
        ),
        ("mu <= L_block", "L_block >= 1"),
        repaired_by="fmgda.theorem1-53-noise",
    ),
    Claim(
        "fmgda.theorem1-53",
        "constants of an ordinary step",
        "Theorem 1, eq. (53), l.657-661",
        "3 + 75 kappa^2 <= 78 kappa^2; (L_block/L_Phi)^2 (1/5 + 10 kappa^2) chat^2 <= 51/180; 1/2 - 51/180 = 13/60",
        stated(
            "3 + 75*(L_block/mu)^2 <= 78*(L_block/mu)^2",
            (
                "(L_block/L_Phi)^2*(1/5 + 10*(L_block/mu)^2)*chat^2 <= 51/180 if L_Phi >= L_block, 6*chat <= 1, "
                "6*chat*L_Phi <= mu"
            ),
            "1/2 - 51/180 = 13/60",
            given=("L_block >= mu",),
        ),
        ("mu <= L_block <= L_Phi", "chat <= min(1/6, mu/(6 L_Phi))"),
        steps=("fmgda.theorem1-potential",),
    ),
    Claim(
        "fmgda.theorem1-55-printed",
        "share of the drift carried into a communication step, summed over a round of K steps",
        "Theorem 1, eq. (54)-(55), l.665-671",
        "13/2400 + 51/180 + (K - 1) 51/180 <= 3/5",
        stated(
            "13/2400 + 51/180 + (K - 1)*51/180 <= 3/5",
            given=("K >= 2",),
        ),
        ("K >= 2",),
        repaired_by="fmgda.theorem1-55",
    ),
    Claim(
        "fmgda.theorem1-55",
        "the same share with steps that shrink like 1/sqrt(K)",
        "Theorem 1, eq. (54)-(55), l.665-671",
        "chat^2 ((1/5 + 10 kappa^2)/(1 + kappa)^2 (1 + 1.00005 (K - 1)) + (78/400) kappa^2/(1 + kappa)^2) <= 3/5",
        stated(
            (
                "chat^2*((1/5 + 10*kappa^2)/(1 + kappa)^2*(1 + (K - 1)*100005/100000) + 78/400*(kappa/(1 + "
                "kappa))^2) <= 3/5"
            ),
            given=(
                "K >= 2",
                "kappa >= 1",
                "18*K*chat^2 <= 1",
            ),
        ),
        ("unstated: max(chat, c_dual)^2 <= 1/(18 K)", "kappa >= 1", "K >= 2"),
        steps=("fmgda.theorem1-53", "fmgda.theorem1-54-carried", "fmgda.theorem1R-conditions"),
    ),
    Claim(
        "fmgda.theorem1-constants",
        "constants after Lemma 8 is inserted",
        "Theorem 1, l.671-673",
        "78/(36*400) = 13/2400; 13/2400 + 102/180 <= 3/5; 13/60 - 10/64 = 29/480; 51/180 + 10/64 = 211/480",
        stated(
            "78/36/400 = 13/2400",
            "13/60 - 2*5/64 = 29/480",
            "51/180 + 2*5/64 = 211/480",
            "13/2400 + 102/180 <= 3/5",
        ),
        steps=("fmgda.theorem1-53", "fmgda.theorem1-53-noise"),
    ),
    Claim(
        "fmgda.corollary1-58",
        "inverse of the last step, split into its constant and its decaying part",
        "Corollary 1, eq. (58), l.690-692",
        "(e + steps)^(1/3) <= e^(1/3) + steps^(1/3); e^(1/3)/(h steps) <= 20 L_Phi K/steps;"
        " steps^(1/3)/(h steps) = L_Phi/(N steps)^(2/3)",
        stated(
            "(e + steps)^(1/3) <= steps^(1/3) + e^(1/3)",
            "root/(N^(2/3)/L_Phi*steps) <= 20*L_Phi*K/steps if root <= 20*L_Phi*K*N^(2/3)/L_Phi",
            "steps^(1/3)/(N^(2/3)/L_Phi*steps) = L_Phi/(N^(2/3)*steps^(2/3))",
            letters=("e, root, steps > 0",),
        ),
        ("h = N^(2/3)/L_Phi", "root = e^(1/3) <= 20 L_Phi K h, true for any constant up to 8000 in e_t"),
        steps=("fmgda.theorem1-48",),
    ),
    Claim(
        "fmgda.corollary1-59-60",
        "initial and noise terms of the corollary, decay = 1/(N steps)^(2/3); steps = K T is the paper's T",
        "Corollary 1, eq. (59)-(60), l.696-708",
        "(20 K/steps + decay) 20 <= 400 K/steps + 400 decay;"
        " (20 K/steps + decay) 120^2/b^2 = 288000 K/(b^2 steps) + 14400 decay/b^2",
        stated(
            "(20*L_Phi*decay + 400*K*L_Phi/steps)/L_Phi <= 400*decay + 400*K/steps",
            "14400*(L_Phi*decay + 20*K*L_Phi/steps)/(L_Phi*b^2) = 14400*decay/b^2 + 288000*K/(b^2*steps)",
            letters=("decay, steps > 0",),
        ),
        ("B = K b",),
        steps=("fmgda.corollary1-58", "fmgda.theorem1-weight"),
    ),
)
