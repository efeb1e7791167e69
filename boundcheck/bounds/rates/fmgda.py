"""Table 1 of "On the convergence of federated deep AUC maximization" and the complexities of its text.

Samples are gradients of all clients; the accuracy is |grad Phi| <= eps_acc, or |grad f| <= eps_acc in the text.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sympy import Expr, Rational

from boundcheck.bounds.rate import Cost, Rate
from boundcheck.bounds.rates.fedglomo import FEDGLOMO as FEDGLOMO_TABLE
from boundcheck.notation import symbols

N, eps = symbols("N eps_acc")
PL = "Polyak-Lojasiewicz"
HETEROGENEITY = "bounded heterogeneity"
STRONG = "strongly concave"


def _cost(samples: object, rounds: object) -> dict[Cost, Expr]:
    return {"samples": eps ** (-Rational(str(samples))), "rounds": eps ** (-Rational(str(rounds)))}


_table_1 = partial(Rate, paper="fmgda", where="Table 1, l.32-37")
_text = partial(Rate, paper="fmgda", where="l.49")

LOCAL_SGDA = _table_1(
    id="fmgda.table1-local-sgda",
    title="Federated Local SGDA (Sharma et al. 2022)",
    method="local-sgda",
    complexity=_cost(4, 3),
    assumptions=(STRONG,),
    note="The factors of the condition number are left out, for FMGDA too.",
)
MOMENTUM_LOCAL_SGDA = replace(
    LOCAL_SGDA,
    id="fmgda.table1-momentum-local-sgda",
    title="Federated Momentum Local SGDA (Sharma et al. 2022)",
    method="momentum-local-sgda",
)
FMGDA = _table_1(
    id="fmgda.table1-fmgda",
    title="FMGDA (Corollary 1)",
    method="fmgda",
    complexity=_cost(3, 2),
    assumptions=(STRONG, "smooth samples", HETEROGENEITY),
    bounds=("fmgda.corollary1", "fmgda.corollary1R-rate"),
    note="The proof loses a factor K - 1 at communication steps: it gives eps_acc^(-7/3) rounds, not eps_acc^(-2).",
)
FMGDA_DERIVED = replace(
    FMGDA,
    id="fmgda.table1-fmgda-derived",
    title="FMGDA (Corollary 1), as its repaired proof gives it",
    where="Table 1, l.32-37, with the smaller step of Corollary 1R",
    complexity={"samples": eps**-3, "rounds": N ** Rational(-1, 3) * eps ** Rational(-7, 3)},
    form="derived",
    row=FMGDA.id,
    note="",
)
PR_SGD = _text(
    id="fmgda.text-pr-sgd",
    title="Parallel Restarted SGD (Yu et al. 2019b)",
    method="fedavg",
    complexity=_cost(4, 3),
)
PR_SGD_M = replace(PR_SGD, id="fmgda.text-pr-sgd-m", title="Momentum PR-SGD (Yu et al. 2019a)", method="pr-sgd-m")
FEDPROX = _text(
    id="fmgda.text-fedprox",
    title="FedProx (Li et al. 2020)",
    method="fedprox",
    complexity={"rounds": eps**-2},
    assumptions=("gradient similarity",),
)
MIME = _text(
    id="fmgda.text-mime",
    title="MIME (Karimireddy et al. 2020a)",
    method="mime-mvr",
    complexity=_cost(3, 3),
    note="fedglomo quotes a speed-up in sqrt(S) for it, momentum-fl none.",
)
FEDGLOMO = _text(
    id="fmgda.text-fedglomo",
    title="Fed-GLOMO (Das et al. 2020)",
    method="fedglomo",
    complexity=_cost(3, 3),
    note="Every round takes full local gradients, which are not among the samples.",
)
FEDGLOMO_CITED = replace(
    FEDGLOMO_TABLE,
    id="fmgda.text-fedglomo-cited",
    paper="fmgda",
    title="Fed-GLOMO (Das et al. 2020), as it states itself",
    where="l.49, against Table 1 of fedglomo",
    form="cited",
    row=FEDGLOMO.id,
)
STEM = _text(
    id="fmgda.text-stem",
    title="STEM (Khanduri et al. 2021)",
    method="stem",
    complexity=_cost(3, 2),
    assumptions=("smooth samples",),
)
SPIDER = _text(
    id="fmgda.text-spider",
    title="SPIDER on one machine (Fang et al. 2018)",
    method="spider",
    complexity={"steps": eps**-3},
    assumptions=("smooth samples",),
)
STORM = replace(
    SPIDER,
    id="fmgda.text-storm",
    title="STORM on one machine (Cutkosky and Orabona 2019)",
    method="storm-adaptive",
)
FEDPD = _text(
    id="fmgda.text-fedpd",
    title="FedPD (Zhang et al. 2020)",
    method="fedpd",
    says="needs no gradient similarity, which FedProx does",
)
SCAFFOLD = _text(
    id="fmgda.text-scaffold",
    title="SCAFFOLD (Karimireddy et al. 2020b)",
    method="scaffold",
    says="control variates deal with the drift of heterogeneous clients",
)
CODA = _text(
    id="fmgda.text-coda",
    title="CODA (Guo et al. 2020)",
    where="l.51, l.206",
    method="coda",
    says="better than FMGDA's in samples and rounds, under an assumption that networks do not meet",
    assumptions=(STRONG, PL),
)
CODASCA = replace(CODA, id="fmgda.text-codasca", title="CODASCA (Yuan et al. 2021)", method="codasca")
SHARMA = _text(
    id="fmgda.text-local-sgda-classes",
    title="Local SGDA on other classes (Sharma et al. 2022)",
    where="l.51",
    method="local-sgda",
    says="also treated: PL, concave and one-point-concave in y",
)
