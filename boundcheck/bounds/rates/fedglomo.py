"""Table 1 of "Faster Non-Convex Federated Learning via Global and Local Momentum" and the complexities of its text.

Its accuracy is that of the squared gradient: its epsilon is eps_acc^2.  Its T counts local steps: a round has K.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sympy import Max, sqrt

from boundcheck.bounds.rate import Rate
from boundcheck.bounds.rates import momentum_fl
from boundcheck.notation import symbols

N, S, K, eps, alpha, q, sigma = symbols("N S K eps_acc alpha_div q_omega sigma")
HETEROGENEITY = "bounded heterogeneity"
ALPHA = "correlation of drifts alpha"
sampling = (N - S) / (S * (N - 1))

_table_1 = partial(Rate, paper="fedglomo", where="Table 1, L63-74")
_text = partial(Rate, paper="fedglomo")

FEDCOMGATE = _table_1(
    id="fedglomo.table1-fedcomgate",
    title="FedCOMGATE (Haddadpour et al. 2021)",
    method="fedcomgate",
    complexity={"steps": 1 / (N * eps**4)},
    assumptions=(HETEROGENEITY, "compressed messages"),
)
LOCAL_SGD = _table_1(
    id="fedglomo.table1-local-sgd",
    title="Local SGD (Koloskova et al. 2020; SlowMo, Wang et al. 2019)",
    method="fedavg",
    complexity={"steps": 1 / (N * eps**4)},
    assumptions=(HETEROGENEITY,),
)
SCAFFOLD = _table_1(
    id="fedglomo.table1-scaffold",
    title="SCAFFOLD (Karimireddy et al. 2020b)",
    method="scaffold",
    complexity={"steps": 1 / (S * eps**4)},
    assumptions=(HETEROGENEITY,),
    partial=True,
    note="The cited work needs no bounded heterogeneity: its rates do not depend on it.",
)
SCAFFOLD_CITED = replace(
    SCAFFOLD,
    id="fedglomo.table1-scaffold-cited",
    title="SCAFFOLD (Karimireddy et al. 2020b), as cited elsewhere",
    where="Table 1, L63-74, against Table 2 of momentum-fl",
    printed=momentum_fl.SCAFFOLD.printed,
    complexity={},
    assumptions=(),
    form="cited",
    row=SCAFFOLD.id,
    note="No bounded heterogeneity; and the descent term with (N/S)^(2/3), which the row drops.",
)
MIME_MVR = _table_1(
    id="fedglomo.table1-mime-mvr",
    title="MimeMVR (Karimireddy et al. 2020a)",
    method="mime-mvr",
    complexity={"steps": 1 / (sqrt(S) * eps**3)},
    assumptions=(HETEROGENEITY, "smooth samples"),
    partial=True,
)
FEDGLOMO = _table_1(
    id="fedglomo.table1-fedglomo",
    title="FedGLOMO (Theorem 1)",
    method="fedglomo",
    complexity={"steps": Max(sqrt(alpha / N), sqrt(sampling)) / eps**3},
    assumptions=("smooth samples", ALPHA, "full local gradients", "compressed messages"),
    partial=True,
    note="Drops 4/(K N), q(1+q)/N, the factor 1+q and the growth with K; steps hide full local gradients.",
)
FEDGLOMO_DERIVED = replace(
    FEDGLOMO,
    id="fedglomo.table1-fedglomo-derived",
    title="FedGLOMO (Theorem 1), with what the row drops",
    where="Theorem 1, L199-211: K (39 L f(w_0)/eps)^(3/2) sqrt(M) at fixed K",
    complexity={
        "steps": K * sqrt((alpha + 1 / K) / N + (1 + q) * (K + 1) ** 2 * (q / N + (1 + q) * sampling)) / eps**3
    },
    form="derived",
    row=FEDGLOMO.id,
    note="More local steps only cost; an exact first round (all clients, full gradients, no quantiser) is needed.",
)
FEDGLOMO_ROUNDS = _text(
    id="fedglomo.text-fedglomo-rounds",
    title="FedGLOMO: rounds at K = O(1)",
    where="L211, L227",
    method="fedglomo",
    complexity={"rounds": 1 / eps**3},
    assumptions=FEDGLOMO.assumptions,
    partial=True,
)
FEDCOMGATE_ROUNDS = replace(
    FEDCOMGATE,
    id="fedglomo.text-fedcomgate-rounds",
    title="FedCOMGATE: rounds",
    where="L227",
    complexity={"rounds": 1 / eps**2, "steps": 1 / eps**4},
    assumptions=(*FEDCOMGATE.assumptions, "a further assumption on the quantiser"),
)
FEDLOMO = _text(
    id="fedglomo.text-fedlomo",
    title="FedLOMO (Theorem 2)",
    where="L557",
    method="fedlomo",
    complexity={"rounds": 1 / (S * eps**4)},
    assumptions=("smooth samples", ALPHA, "full local gradients", "compressed messages"),
    partial=True,
    note="For eps_acc^2 = O((N/alpha)/S^2) only; the printed condition on the horizon lacks a square.",
)
FEDLOMO_EXACT = replace(
    FEDLOMO,
    id="fedglomo.text-fedlomo-exact",
    title="FedLOMO, all clients and no quantiser",
    where="Remark 6, L563",
    complexity={"rounds": sqrt(alpha / N) / eps**3},
    partial=False,
    note="The constants are not printed; those of its proof give 13.44 L f(w_0) ((alpha + 4/K)/N)^(1/3) T^(-2/3).",
)
FEDAVG = _text(
    id="fedglomo.text-fedavg",
    title="FedAvg (Theorem 3)",
    where="L1299",
    method="fedavg",
    complexity={"rounds": 1 / (S * eps**4)},
    assumptions=(ALPHA,),
    partial=True,
    note="For eps_acc^2 < O(1/S) only; four steps of the proof fail, the order survives their repair.",
)
SGD = _text(
    id="fedglomo.text-sgd",
    title="SGD on one machine",
    where="L39",
    method="sgd",
    complexity={"steps": 1 / eps**4},
)
SPIDER = _text(
    id="fedglomo.text-spider",
    title="SPIDER (Fang et al. 2018)",
    where="L78",
    method="spider",
    complexity={"steps": 1 / eps**3},
    assumptions=("smooth samples",),
)
SNVRG = replace(SPIDER, id="fedglomo.text-snvrg", title="SNVRG (Zhou et al. 2018)", method="")
STORM = replace(SPIDER, id="fedglomo.text-storm", title="STORM (Cutkosky and Orabona 2019)", method="storm-adaptive")
HYBRID = replace(
    SPIDER, id="fedglomo.text-hybrid", title="Hybrid SARAH with constant step (Liu et al. 2020)", method="storm"
)
LOWER = _text(
    id="fedglomo.text-lower-bound",
    title="Lower bound for stochastic first-order methods (Arjevani et al. 2019)",
    where="L39, L78",
    complexity={"steps": sigma**2 / eps**3},
    assumptions=("smooth samples",),
    note="A lower bound, of every method. The cited bound has sigma, not sigma^2, at eps_acc^(-3).",
)
LOWER_CITED = replace(
    LOWER,
    id="fedglomo.text-lower-bound-cited",
    title="Lower bound for stochastic first-order methods (Arjevani et al. 2019), as cited",
    complexity={"steps": sigma / eps**3},
    form="cited",
    row=LOWER.id,
    note="A lower bound, of every method with mean-square smooth samples; sigma^2/eps_acc^2 is of lower order.",
)
PP_MARINA = _text(
    id="fedglomo.text-pp-marina",
    title="PP-MARINA with one full round to be expected",
    where="Appendix C, L431",
    method="pp-marina",
    complexity={"rounds": 1 / eps**4},
    assumptions=("full gradients", "compressed messages"),
    partial=True,
    note="No local steps: a round is a step.",
)
