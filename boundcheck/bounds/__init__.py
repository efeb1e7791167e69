"""The theorems, a paper a file; see `boundcheck.bounds.bound` for the contract.

A theorem's constants are the numbers in its `terms` and `parameters`: `momentum_fl`, `fedlalr`, `fmgda`, `fedglomo` and
`gradma` are the audited papers, `field` has others.  What is read off a bound is computed from its terms: `analysis`,
`orders`, `units`, `regimes`, `complexity`, `best`.  `rates` has the papers' comparison tables, `assumptions` what their
proofs need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boundcheck.bounds.adopt import adopt_bound, is_bound, is_rate
from boundcheck.bounds.bound import Bound, Checked, Condition, Evaluation
from boundcheck.bounds.declared import parameter
from boundcheck.bounds.field import FIELD
from boundcheck.files.registry import Registry

if TYPE_CHECKING:
    from boundcheck.bounds.rate import Rate

BOUNDS: Registry[Bound] = Registry(
    "bound",
    {
        "momentum-fl.theorem11": "boundcheck.bounds.momentum_fl:THEOREM_11",
        "momentum-fl.theorem11S": "boundcheck.bounds.momentum_fl:THEOREM_11S",
        "momentum-fl.theorem11-rate": "boundcheck.bounds.momentum_fl:THEOREM_11_RATE",
        "momentum-fl.theorem11-printed": "boundcheck.bounds.momentum_fl:THEOREM_11_PRINTED",
        "momentum-fl.theorem19": "boundcheck.bounds.momentum_fl:THEOREM_19",
        "momentum-fl.theorem19S": "boundcheck.bounds.momentum_fl:THEOREM_19S",
        "momentum-fl.theorem19-rate": "boundcheck.bounds.momentum_fl:THEOREM_19_RATE",
        "momentum-fl.theorem19-printed": "boundcheck.bounds.momentum_fl:THEOREM_19_PRINTED",
        "momentum-fl.theorem19-proof": "boundcheck.bounds.momentum_fl:THEOREM_19_PROOF",
        "momentum-fl.theorem15": "boundcheck.bounds.momentum_fl_vr:THEOREM_15",
        "momentum-fl.theorem15S": "boundcheck.bounds.momentum_fl_vr:THEOREM_15S",
        "momentum-fl.theorem15-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_RATE",
        "momentum-fl.theorem15-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_PRINTED",
        "momentum-fl.theorem15-alt": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_ALT",
        "momentum-fl.theorem15S-alt": "boundcheck.bounds.momentum_fl_vr:THEOREM_15S_ALT",
        "momentum-fl.theorem15-alt-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_ALT_RATE",
        "momentum-fl.theorem15-alt-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_ALT_PRINTED",
        "momentum-fl.theorem22": "boundcheck.bounds.momentum_fl_vr:THEOREM_22",
        "momentum-fl.theorem22S": "boundcheck.bounds.momentum_fl_vr:THEOREM_22S",
        "momentum-fl.theorem22-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_RATE",
        "momentum-fl.theorem22-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_PRINTED",
        "momentum-fl.theorem22-proof": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_PROOF",
        "momentum-fl.theorem22-alt": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_ALT",
        "momentum-fl.theorem22S-alt": "boundcheck.bounds.momentum_fl_vr:THEOREM_22S_ALT",
        "momentum-fl.theorem22-alt-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_ALT_RATE",
        "momentum-fl.theorem22-alt-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_ALT_PRINTED",
        "fedglomo.theorem1": "boundcheck.bounds.fedglomo:THEOREM_1",
        "fedglomo.theorem1-proof": "boundcheck.bounds.fedglomo:THEOREM_1_PROOF",
        "fedglomo.theorem1R": "boundcheck.bounds.fedglomo:THEOREM_1R",
        "fedglomo.theorem1R-quantised": "boundcheck.bounds.fedglomo:THEOREM_1R_QUANTISED",
        "fedglomo.theorem1S": "boundcheck.bounds.fedglomo:THEOREM_1S",
        "fedglomo.corollary1": "boundcheck.bounds.fedglomo:COROLLARY_1",
        "fedglomo.remark1": "boundcheck.bounds.fedglomo:REMARK_1",
        "fedglomo.theorem2": "boundcheck.bounds.fedglomo_lomo:THEOREM_2",
        "fedglomo.theorem2R": "boundcheck.bounds.fedglomo_lomo:THEOREM_2R",
        "fedglomo.theorem2S": "boundcheck.bounds.fedglomo_lomo:THEOREM_2S",
        "fedglomo.theorem2-full": "boundcheck.bounds.fedglomo_lomo:THEOREM_2_FULL",
        "fedglomo.theorem3": "boundcheck.bounds.fedglomo_fedavg:THEOREM_3",
        "fedglomo.theorem3A": "boundcheck.bounds.fedglomo_fedavg:THEOREM_3A",
        "fedglomo.theorem3R": "boundcheck.bounds.fedglomo_fedavg:THEOREM_3R",
        "fedglomo.lemma13": "boundcheck.bounds.fedglomo_fedavg:LEMMA_13",
        "fedglomo.lemma13A": "boundcheck.bounds.fedglomo_fedavg:LEMMA_13A",
        "fedglomo.lemma13R": "boundcheck.bounds.fedglomo_fedavg:LEMMA_13R",
        "fedglomo.appendix-c": "boundcheck.bounds.fedglomo_lomo:APPENDIX_C",
        "gradma.lemma2-printed": "boundcheck.bounds.gradma:LEMMA_2_PRINTED",
        "gradma.lemma2": "boundcheck.bounds.gradma:LEMMA_2",
        "gradma.lemma6": "boundcheck.bounds.gradma:LEMMA_6",
        "gradma.lemma6-w": "boundcheck.bounds.gradma:LEMMA_6_W",
        "gradma.lemma6-s": "boundcheck.bounds.gradma:LEMMA_6_S",
        "gradma.lemma6-fedavgm": "boundcheck.bounds.gradma:LEMMA_6_FEDAVGM",
        "gradma.lemma6-fedproxm": "boundcheck.bounds.gradma:LEMMA_6_FEDPROXM",
        "gradma.lemma6-fedavg": "boundcheck.bounds.gradma:LEMMA_6_FEDAVG",
        "gradma.lemma6S": "boundcheck.bounds.gradma:SHARP",
        "gradma.lemma6S-w": "boundcheck.bounds.gradma:SHARP_W",
        "gradma.lemma6S-s": "boundcheck.bounds.gradma:SHARP_S",
        "gradma.lemma6S-fedavgm": "boundcheck.bounds.gradma:SHARP_FEDAVGM",
        "gradma.lemma6S-fedproxm": "boundcheck.bounds.gradma:SHARP_FEDPROXM",
        "gradma.lemma6S-fedavg": "boundcheck.bounds.gradma:SHARP_FEDAVG",
        "fedlalr.theorem1": "boundcheck.bounds.fedlalr:THEOREM_1",
        "fedlalr.theorem1-proof": "boundcheck.bounds.fedlalr:THEOREM_1_PROOF",
        "fedlalr.theorem1R": "boundcheck.bounds.fedlalr:THEOREM_1R",
        "fedlalr.corollary1": "boundcheck.bounds.fedlalr:COROLLARY_1",
        "fedlalr.corollary2": "boundcheck.bounds.fedlalr_variants:COROLLARY_2",
        "fedlalr.corollary2R": "boundcheck.bounds.fedlalr_variants:COROLLARY_2R",
        "fedlalr.corollary3": "boundcheck.bounds.fedlalr_variants:COROLLARY_3",
        "fedlalr.corollary3R": "boundcheck.bounds.fedlalr_variants:COROLLARY_3R",
        "fedlalr.theorem2": "boundcheck.bounds.fedlalr_adaptive:THEOREM_2",
        "fedlalr.theorem2-rate": "boundcheck.bounds.fedlalr_adaptive:THEOREM_2_RATE",
        "fedlalr.theorem2R": "boundcheck.bounds.fedlalr_adaptive:THEOREM_2R",
        "fmgda.theorem1": "boundcheck.bounds.fmgda:THEOREM_1",
        "fmgda.theorem1-proof": "boundcheck.bounds.fmgda:THEOREM_1_PROOF",
        "fmgda.theorem1R": "boundcheck.bounds.fmgda:THEOREM_1R",
        "fmgda.corollary1": "boundcheck.bounds.fmgda:COROLLARY_1",
        "fmgda.remark1": "boundcheck.bounds.fmgda:REMARK_1",
        "fmgda.corollary1R": "boundcheck.bounds.fmgda:COROLLARY_1R",
        "fmgda.corollary1R-rate": "boundcheck.bounds.fmgda:COROLLARY_1R_RATE",
    },
    group="bounds",
    accepts=is_bound,
    adopt=adopt_bound,
    further=FIELD,
    aliases={
        # The paper's main text numbers its theorems anew; a bound has the number of its proof.
        f"momentum-fl.theorem{stated}": (f"momentum-fl.theorem{proved}-printed", f"momentum-fl.theorem{proved}")
        for stated, proved in ((1, 11), (2, 15), (3, 19), (4, 22))
    },
)
"""Every bound by name; those of `boundcheck.bounds.field` are found by name, and are not listed with the audit's."""

_ROWS = {
    "momentum-fl": (
        "table1-yu table1-koloskova table1-karimireddy table1-yang table1-fedcm table1-led table1-vrl-sgd "
        "table1-fedavg-m table1-bvr-l-sgd table1-ce-lsgd table1-stem table1-fedavg-m-vr table1-fedavg-m-vr-alt "
        "table2-scaffold table2-scaffold-m table2-mimelite-mvr table2-mb-storm table2-ce-lsgd table2-scaffold-m-vr "
        "table2-scaffold-m-vr-alt text-lower-bound"
    ),
    "fedlalr": (
        "rate-corollary1 rate-corollary2 rate-corollary3 rate-theorem2 remark3 remark4 remark4-derived "
        "text-local-amsgrad text-lafedopt text-local-adaalter text-fedadam text-fedavg text-growing-intervals"
    ),
    "fedglomo": (
        "table1-fedcomgate table1-local-sgd table1-scaffold table1-scaffold-cited table1-mime-mvr table1-fedglomo "
        "table1-fedglomo-derived text-fedglomo-rounds text-fedcomgate-rounds text-fedlomo text-fedlomo-exact "
        "text-fedavg text-sgd text-spider text-snvrg text-storm text-hybrid text-lower-bound text-lower-bound-cited "
        "text-pp-marina"
    ),
    "gradma": "rate-partial rate-full text-speed-up",
    "fmgda": (
        "table1-local-sgda table1-momentum-local-sgda table1-fmgda table1-fmgda-derived text-pr-sgd text-pr-sgd-m "
        "text-fedprox text-mime text-fedglomo text-fedglomo-cited text-stem text-spider text-storm text-fedpd "
        "text-scaffold text-coda text-codasca text-local-sgda-classes"
    ),
}

RATES: Registry[Rate] = Registry(
    "rate",
    {
        f"{paper}.{row}": f"boundcheck.bounds.rates.{paper.replace('-', '_')}:ROWS"
        for paper, rows in _ROWS.items()
        for row in rows.split()
    },
    group="rates",
    accepts=is_rate,
)
"""Every row of a comparison table by name."""

__all__ = ["BOUNDS", "RATES", "Bound", "Checked", "Condition", "Evaluation", "parameter"]
