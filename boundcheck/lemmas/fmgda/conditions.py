"""FMGDA, Theorem 1: can its conditions on the two steps be met, and do they give what the proof uses."""

from __future__ import annotations

from boundcheck.lemmas.claim import Claim
from boundcheck.lemmas.stated import stated

DUAL_NEED = "9 c_dual L_block^2/(2 mu) >= 211/480"
UPPER = "max(chat, c_dual) < min(1/6, 1/(6 L_Phi), mu/(6 L_Phi))"
L_PHI = "L_Phi = L_block (1 + L_block/mu)"


_CLASH = ("c_dual < min(1/6, 1/(6 L_Phi), mu/(6 L_Phi))", L_PHI, "unstated: 2160 c_dual L_block^2 >= 211 mu")

CLAIMS = (
    Claim(
        "fmgda.theorem1-dual-condition-printed",
        "the printed upper bounds on the dual step imply the condition the proof uses",
        "Theorem 1, l.681 against l.167",
        f"{UPPER} implies {DUAL_NEED}",
        stated(
            "211/480 <= 9*c_dual*L_block^2/(2*mu)",
            given=(
                "L_block >= mu",
                "6*c_dual < 1",
                "6*c_dual*L_block*(1 + L_block/mu) < 1",
                "6*c_dual*L_block*(1 + L_block/mu) < mu",
            ),
        ),
        ("mu <= L_block", L_PHI),
        repaired_by="fmgda.theorem1-dual-condition",
    ),
    Claim(
        "fmgda.theorem1-dual-condition",
        "the condition when c_dual^2 is kept instead of bounded by 1/36: it follows from c_dual <= 1/6",
        "Theorem 1, l.681",
        "c_dual^2 ((1/5 + 10 kappa^2)/(1 + kappa)^2 + (25/96)(3/5)) <= (3/4) kappa",
        stated(
            "c_dual^2*((1/5 + 10*kappa^2)/(1 + kappa)^2 + 25/96*3/5) <= 3/4*kappa",
            given=(
                "6*c_dual <= 1",
                "kappa >= 1",
            ),
        ),
        ("c_dual <= 1/6", "kappa >= 1"),
    ),
    Claim(
        "fmgda.conditions-clash",
        "no dual step meets the printed conditions and the proof's need when mu <= 211/360, for every L_block",
        "Theorem 1, l.167 and l.681",
        "the conditions have no common solution",
        stated(
            (
                "never mu <= 211/360, L_block >= mu, 6*c_dual < 1, 6*c_dual*L_block*(1 + L_block/mu) < 1, "
                "6*c_dual*L_block*(1 + L_block/mu) < mu, 2160*c_dual*L_block^2 >= 211*mu"
            ),
        ),
        ("mu <= 211/360 <= 0.5862", "L_block >= mu", *_CLASH),
    ),
    Claim(
        "fmgda.conditions-clash-auc",
        "in particular for AUC maximisation, where mu = 2 p (1 - p)",
        "Theorem 1, l.167 and l.681, with eq. (4)",
        "the conditions have no common solution",
        stated(
            (
                "never p < 1, mu = 2*p*(1 - p), L_block >= mu, 6*c_dual < 1, 6*c_dual*L_block*(1 + L_block/mu) < "
                "1, 6*c_dual*L_block*(1 + L_block/mu) < mu, 2160*c_dual*L_block^2 >= 211*mu"
            ),
            letters=("p > 0",),
        ),
        ("mu = 2 p (1 - p)", "0 < p < 1", "L_block >= mu", *_CLASH),
    ),
    Claim(
        "fmgda.conditions-meet-2-1",
        "the conditions can be met at L_block = 2, mu = 1",
        "Theorem 1, l.167 and l.681",
        "the conditions have a common solution",
        stated(
            "possible 6*c_dual < 1, 36*c_dual < 1, 36*c_dual < 1, 8640*c_dual >= 211",
        ),
        ("L_block = 2, mu = 1", *_CLASH),
    ),
    Claim(
        "fmgda.conditions-repaired",
        "the repaired conditions can be met for every mu, for AUC maximisation too: c_dual first, then chat",
        "Theorem 1 repaired, against l.167 and l.681",
        "c_dual <= 1/6, chat <= c_dual and max(chat, c_dual)^2 <= 1/(18 K)",
        stated(
            "6*c_dual <= 1",
            "chat <= c_dual",
            "18*K*chat^2 <= 1",
            given=(
                "K >= 2",
                "18*K*c_dual^2 <= 1",
                "L_block >= mu",
                "chat*L_block^2 <= sqrt(11/2880)*c_dual*mu^2",
            ),
        ),
        ("c_dual <= 1/sqrt(18 K)", "chat <= sqrt(11/2880) c_dual/kappa^2", "mu <= L_block", "K >= 2"),
        steps=("fmgda.kappa",),
    ),
    Claim(
        "fmgda.chat-budget-theorem",
        "the theorem's cap on chat keeps the proof's budget",
        "Theorem 1, l.167 against l.681",
        "30 kappa^4 chat^2/c_dual^2 <= 29/480",
        stated(
            "30*kappa^4*chat^2/c_dual^2 <= 29/480",
            given=("chat <= sqrt(11/2880)*c_dual/kappa^2",),
        ),
        ("chat <= sqrt(11/2880) c_dual/kappa^2",),
        repaired_by="fmgda.chat-budget",
    ),
    Claim(
        "fmgda.chat-budget-appendix",
        "the appendix's cap on chat keeps the proof's budget",
        "Theorem 1, l.681",
        "30 kappa^4 chat^2/c_dual^2 <= 17/480",
        stated(
            "30*kappa^4*chat^2/c_dual^2 <= 17/480",
            given=("chat <= sqrt(17/1440)*c_dual/kappa^2",),
        ),
        ("chat <= sqrt(17/1440) c_dual/kappa^2",),
        repaired_by="fmgda.chat-budget",
    ),
    Claim(
        "fmgda.chat-budget",
        "the cap that keeps the budget, together with the quadratic term",
        "Theorem 1, l.681",
        "30 kappa^4 chat^2/c_dual^2 <= 17/480 and chat eta L_Phi/2 <= 12/480, in all 29/480",
        stated(
            "30*kappa^4*chat^2/c_dual^2 <= 17/480 if chat <= sqrt(17/14400)*c_dual/kappa^2",
            "chat*eta*L_Phi/2 <= 12/480 if 20*eta*L_Phi <= 1, chat <= 1",
        ),
        ("chat <= sqrt(17/14400) c_dual/kappa^2", "eta <= 1/(20 L_Phi)", "chat <= 1"),
    ),
)
