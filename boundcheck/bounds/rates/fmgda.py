"""Table 1 of "On the convergence of federated deep AUC maximization" and the complexities of its text.

Samples are gradients of all clients; the accuracy is |grad Phi| <= eps_acc, or |grad f| <= eps_acc in the text.
"""

from __future__ import annotations

from dataclasses import replace

from sympy import Expr, Rational

from boundcheck.bounds.rate import Cost, row_of, table
from boundcheck.bounds.rates import fedglomo
from boundcheck.notation import symbols

N, eps = symbols("N eps_acc")
PL, STRONG, SMOOTH = "Polyak-Lojasiewicz", "strongly concave", "smooth samples"
HETEROGENEITY = "bounded heterogeneity"


def _cost(samples: int, rounds: int) -> dict[Cost, Expr]:
    return {"samples": eps**-samples, "rounds": eps**-rounds}


_derived = {"samples": eps**-3, "rounds": N ** Rational(-1, 3) * eps ** Rational(-7, 3)}
_stated = ("fmgda.corollary1", "fmgda.corollary1R-rate")
_coda = "better than FMGDA's in samples and rounds, under an assumption that networks do not meet"
_table_1 = row_of("fmgda", "Table 1, l.32-37")
_text = row_of("fmgda", "l.49")

# fmt: off
ROWS = table(
    _table_1("table1-local-sgda", "Federated Local SGDA (Sharma et al. 2022)", "local-sgda", _cost(4, 3), (STRONG,),
        note="The factors of the condition number are left out, for FMGDA too."),
    _table_1("table1-momentum-local-sgda", "Federated Momentum Local SGDA (Sharma et al. 2022)", "momentum-local-sgda",
        _cost(4, 3), (STRONG,), note="The factors of the condition number are left out, for FMGDA too."),
    _table_1("table1-fmgda", "FMGDA (Corollary 1)", "fmgda", _cost(3, 2), (STRONG, SMOOTH, HETEROGENEITY),
        bounds=_stated, note="The proof loses a factor K - 1 at communication steps: it gives eps_acc^(-7/3) rounds, "
        "not eps_acc^(-2)."),
    _table_1("table1-fmgda-derived", "FMGDA (Corollary 1), as its repaired proof gives it", "fmgda", _derived,
        (STRONG, SMOOTH, HETEROGENEITY), bounds=_stated, form="derived", row="fmgda.table1-fmgda",
        where="Table 1, l.32-37, with the smaller step of Corollary 1R"),
    _text("text-pr-sgd", "Parallel Restarted SGD (Yu et al. 2019b)", "fedavg", _cost(4, 3)),
    _text("text-pr-sgd-m", "Momentum PR-SGD (Yu et al. 2019a)", "pr-sgd-m", _cost(4, 3)),
    _text("text-fedprox", "FedProx (Li et al. 2020)", "fedprox", {"rounds": eps**-2}, ("gradient similarity",)),
    _text("text-mime", "MIME (Karimireddy et al. 2020a)", "mime-mvr", _cost(3, 3),
        note="fedglomo quotes a speed-up in sqrt(S) for it, momentum-fl none."),
    _text("text-fedglomo", "Fed-GLOMO (Das et al. 2020)", "fedglomo", _cost(3, 3),
        note="Every round takes full local gradients, which are not among the samples."),
    replace(fedglomo.ROWS["fedglomo.table1-fedglomo"], id="fmgda.text-fedglomo-cited", paper="fmgda",
        title="Fed-GLOMO (Das et al. 2020), as it states itself", where="l.49, against Table 1 of fedglomo",
        form="cited", row="fmgda.text-fedglomo"),
    _text("text-stem", "STEM (Khanduri et al. 2021)", "stem", _cost(3, 2), (SMOOTH,)),
    _text("text-spider", "SPIDER on one machine (Fang et al. 2018)", "spider", {"steps": eps**-3}, (SMOOTH,)),
    _text("text-storm", "STORM on one machine (Cutkosky and Orabona 2019)", "storm-adaptive", {"steps": eps**-3},
        (SMOOTH,)),
    _text("text-fedpd", "FedPD (Zhang et al. 2020)", "fedpd", "needs no gradient similarity, which FedProx does"),
    _text("text-scaffold", "SCAFFOLD (Karimireddy et al. 2020b)", "scaffold",
        "control variates deal with the drift of heterogeneous clients"),
    _text("text-coda", "CODA (Guo et al. 2020)", "coda", _coda, (STRONG, PL), where="l.51, l.206"),
    _text("text-codasca", "CODASCA (Yuan et al. 2021)", "codasca", _coda, (STRONG, PL), where="l.51, l.206"),
    _text("text-local-sgda-classes", "Local SGDA on other classes (Sharma et al. 2022)", "local-sgda",
        "also treated: PL, concave and one-point-concave in y", where="l.51"),
)
# fmt: on
