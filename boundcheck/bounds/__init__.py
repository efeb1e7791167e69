"""The theorems, a paper a file; see `boundcheck.bounds.bound` for the contract."""

from __future__ import annotations

from boundcheck.bounds.bound import Bound, Checked, Condition, Evaluation
from boundcheck.registry import Registry

BOUNDS: Registry[Bound] = Registry(
    "bound",
    {
        "momentum-fl.theorem11": "boundcheck.bounds.momentum_fl:THEOREM_11",
        "momentum-fl.theorem11-rate": "boundcheck.bounds.momentum_fl:THEOREM_11_RATE",
        "momentum-fl.theorem11-printed": "boundcheck.bounds.momentum_fl:THEOREM_11_PRINTED",
        "momentum-fl.theorem19": "boundcheck.bounds.momentum_fl:THEOREM_19",
        "momentum-fl.theorem19-rate": "boundcheck.bounds.momentum_fl:THEOREM_19_RATE",
        "momentum-fl.theorem19-printed": "boundcheck.bounds.momentum_fl:THEOREM_19_PRINTED",
        "momentum-fl.theorem15": "boundcheck.bounds.momentum_fl_vr:THEOREM_15",
        "momentum-fl.theorem15-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_RATE",
        "momentum-fl.theorem15-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_PRINTED",
        "momentum-fl.theorem15-alt": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_ALT",
        "momentum-fl.theorem15-alt-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_ALT_RATE",
        "momentum-fl.theorem15-alt-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_15_ALT_PRINTED",
        "momentum-fl.theorem22": "boundcheck.bounds.momentum_fl_vr:THEOREM_22",
        "momentum-fl.theorem22-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_RATE",
        "momentum-fl.theorem22-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_PRINTED",
        "momentum-fl.theorem22-alt": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_ALT",
        "momentum-fl.theorem22-alt-rate": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_ALT_RATE",
        "momentum-fl.theorem22-alt-printed": "boundcheck.bounds.momentum_fl_vr:THEOREM_22_ALT_PRINTED",
        "fedlalr.theorem1": "boundcheck.bounds.fedlalr:THEOREM_1",
        "fedlalr.theorem1-proof": "boundcheck.bounds.fedlalr:THEOREM_1_PROOF",
        "fedlalr.theorem1R": "boundcheck.bounds.fedlalr:THEOREM_1R",
        "fedlalr.corollary1": "boundcheck.bounds.fedlalr:COROLLARY_1",
        "fedlalr.corollary2": "boundcheck.bounds.fedlalr_variants:COROLLARY_2",
        "fedlalr.corollary2R": "boundcheck.bounds.fedlalr_variants:COROLLARY_2R",
        "fedlalr.corollary3": "boundcheck.bounds.fedlalr_variants:COROLLARY_3",
        "fedlalr.corollary3R": "boundcheck.bounds.fedlalr_variants:COROLLARY_3R",
        "fmgda.theorem1": "boundcheck.bounds.fmgda:THEOREM_1",
        "fmgda.theorem1-proof": "boundcheck.bounds.fmgda:THEOREM_1_PROOF",
        "fmgda.theorem1R": "boundcheck.bounds.fmgda:THEOREM_1R",
        "fmgda.corollary1": "boundcheck.bounds.fmgda:COROLLARY_1",
        "fmgda.corollary1R": "boundcheck.bounds.fmgda:COROLLARY_1R",
        "fmgda.corollary1R-rate": "boundcheck.bounds.fmgda:COROLLARY_1R_RATE",
    },
)
"""Every bound by name."""

__all__ = ["BOUNDS", "Bound", "Checked", "Condition", "Evaluation"]
