"""Table 1 of "Faster Non-Convex Federated Learning via Global and Local Momentum" and the complexities of its text.

Its accuracy is that of the squared gradient: its epsilon is eps_acc^2.  Its T counts local steps: a round has K.
"""

from __future__ import annotations

from sympy import Max, sqrt

from boundcheck.bounds.rate import row_of, table
from boundcheck.bounds.rates import momentum_fl
from boundcheck.notation import symbols

N, S, K, eps, alpha, q, sigma = symbols("N S K eps_acc alpha_div q_omega sigma")
HETEROGENEITY, SMOOTH, COMPRESSED = "bounded heterogeneity", "smooth samples", "compressed messages"
ALPHA = "correlation of drifts alpha"
OWN = (SMOOTH, ALPHA, "full local gradients", COMPRESSED)

_s = (N - S) / (S * (N - 1))
_fedglomo = Max(sqrt(alpha / N), sqrt(_s)) / eps**3
_derived = K * sqrt((alpha + 1 / K) / N + (1 + q) * (K + 1) ** 2 * (q / N + (1 + q) * _s)) / eps**3

_table_1 = row_of("fedglomo", "Table 1, L63-74")
_text = row_of("fedglomo")

# fmt: off
ROWS = table(
    _table_1("table1-fedcomgate", "FedCOMGATE (Haddadpour et al. 2021)", "fedcomgate", {"steps": 1 / (N * eps**4)},
        (HETEROGENEITY, COMPRESSED)),
    _table_1("table1-local-sgd", "Local SGD (Koloskova et al. 2020; SlowMo, Wang et al. 2019)", "fedavg",
        {"steps": 1 / (N * eps**4)}, (HETEROGENEITY,)),
    _table_1("table1-scaffold", "SCAFFOLD (Karimireddy et al. 2020b)", "scaffold", {"steps": 1 / (S * eps**4)},
        (HETEROGENEITY,), partial=True,
        note="The cited work needs no bounded heterogeneity: its rates do not depend on it."),
    _table_1("table1-scaffold-cited", "SCAFFOLD (Karimireddy et al. 2020b), as cited elsewhere", "scaffold",
        momentum_fl.ROWS["momentum-fl.table2-scaffold"].printed, partial=True, form="cited",
        where="Table 1, L63-74, against Table 2 of momentum-fl", row="fedglomo.table1-scaffold",
        note="No bounded heterogeneity; and the descent term with (N/S)^(2/3), which the row drops."),
    _table_1("table1-mime-mvr", "MimeMVR (Karimireddy et al. 2020a)", "mime-mvr", {"steps": 1 / (sqrt(S) * eps**3)},
        (HETEROGENEITY, SMOOTH), partial=True),
    _table_1("table1-fedglomo", "FedGLOMO (Theorem 1)", "fedglomo", {"steps": _fedglomo}, OWN, partial=True,
        bounds=("fedglomo.theorem1", "fedglomo.theorem1R"),
        note="Drops 4/(K N), q(1+q)/N, the factor 1+q and the growth with K; steps hide full local gradients."),
    _table_1("table1-fedglomo-derived", "FedGLOMO (Theorem 1), with what the row drops", "fedglomo",
        {"steps": _derived}, OWN, partial=True, form="derived", row="fedglomo.table1-fedglomo",
        where="Theorem 1, L199-211: K (39 L f(w_0)/eps)^(3/2) sqrt(M) at fixed K",
        note="More local steps only cost; an exact first round (all clients, full gradients, no quantiser) is needed."),
    _text("text-fedglomo-rounds", "FedGLOMO: rounds at K = O(1)", "fedglomo", {"rounds": 1 / eps**3}, OWN, partial=True,
        where="L211, L227"),
    _text("text-fedcomgate-rounds", "FedCOMGATE: rounds", "fedcomgate", {"rounds": 1 / eps**2, "steps": 1 / eps**4},
        (HETEROGENEITY, COMPRESSED, "a further assumption on the quantiser"), where="L227"),
    _text("text-fedlomo", "FedLOMO (Theorem 2)", "fedlomo", {"rounds": 1 / (S * eps**4)}, OWN, partial=True,
        where="L557",
        note="For eps_acc^2 = O((N/alpha)/S^2) only; the printed condition on the horizon lacks a square."),
    _text("text-fedlomo-exact", "FedLOMO, all clients and no quantiser", "fedlomo",
        {"rounds": sqrt(alpha / N) / eps**3}, OWN, where="Remark 6, L563",
        note="The constants are not printed; those of its proof give 13.44 L f(w_0) ((alpha + 4/K)/N)^(1/3) T^(-2/3)."),
    _text("text-fedavg", "FedAvg (Theorem 3)", "fedavg", {"rounds": 1 / (S * eps**4)}, (ALPHA,), partial=True,
        where="L1299",
        note="For eps_acc^2 < O(1/S) only; four steps of the proof fail, the order survives their repair."),
    _text("text-sgd", "SGD on one machine", "sgd", {"steps": 1 / eps**4}, where="L39"),
    _text("text-spider", "SPIDER (Fang et al. 2018)", "spider", {"steps": 1 / eps**3}, (SMOOTH,), where="L78"),
    _text("text-snvrg", "SNVRG (Zhou et al. 2018)", "snvrg", {"steps": 1 / eps**3}, (SMOOTH,), where="L78"),
    _text("text-storm", "STORM (Cutkosky and Orabona 2019)", "storm-adaptive", {"steps": 1 / eps**3}, (SMOOTH,),
        where="L78"),
    _text("text-hybrid", "Hybrid SARAH with constant step (Liu et al. 2020)", "storm", {"steps": 1 / eps**3}, (SMOOTH,),
        where="L78"),
    _text("text-lower-bound", "Lower bound for stochastic first-order methods (Arjevani et al. 2019)", "",
        {"steps": sigma**2 / eps**3}, (SMOOTH,), where="L39, L78",
        note="A lower bound, of every method. The cited bound has sigma, not sigma^2, at eps_acc^(-3)."),
    _text("text-lower-bound-cited", "Lower bound for stochastic first-order methods (Arjevani et al. 2019), as cited",
        "", {"steps": sigma / eps**3}, (SMOOTH,), where="L39, L78", form="cited", row="fedglomo.text-lower-bound",
        note="A lower bound, of every method with mean-square smooth samples; sigma^2/eps_acc^2 is of lower order."),
    _text("text-pp-marina", "PP-MARINA with one full round to be expected", "pp-marina", {"rounds": 1 / eps**4},
        ("full gradients", COMPRESSED), partial=True, where="Appendix C, L431",
        note="No local steps: a round is a step."),
)
# fmt: on
