"""Theorems of the field beyond the papers under audit, found by name and not listed with the audit's.

Every file says where its statement is from and how sure it is: *derived* (the proof is short and was made again, so
that the constants do not rest on the source), *compared* (with a copy of the paper's text), *known* (as it is
commonly stated, neither derived nor compared).
"""

from __future__ import annotations

FIELD: dict[str, str] = {
    "field.gd-best": "boundcheck.bounds.field.gradient_descent:BEST",
    "field.gd-convex": "boundcheck.bounds.field.gradient_descent:CONVEX",
    "field.gd-pl": "boundcheck.bounds.field.gradient_descent:PL",
    "field.gd-strong": "boundcheck.bounds.field.gradient_descent:STRONG",
    "field.sgd": "boundcheck.bounds.field.sgd:NONCONVEX",
    "field.sgd-centre": "boundcheck.bounds.field.sgd:CONVEX",
    "field.sgd-pl": "boundcheck.bounds.field.sgd:PL",
    "field.marina": "boundcheck.bounds.field.marina:NONCONVEX",
    "field.page": "boundcheck.bounds.field.page:NONCONVEX",
    "field.ef21": "boundcheck.bounds.field.ef21:NONCONVEX",
    "field.dgd": "boundcheck.bounds.field.dgd:MIXED",
    "field.dgd-ring": "boundcheck.bounds.field.dgd:RING",
    "field.scaffnew": "boundcheck.bounds.field.scaffnew:STRONG",
    "field.fedavg-all": "boundcheck.bounds.field.all_steps:FEDAVG",
    "field.scaffold-all": "boundcheck.bounds.field.all_steps:SCAFFOLD",
    "field.fedavg-m-all": "boundcheck.bounds.field.all_steps:FEDAVG_M",
    "field.fedavg-strong": "boundcheck.bounds.field.fedavg_strong:STRONG",
    "field.adagrad": "boundcheck.bounds.field.adaptive:ADAGRAD",
    "field.adam": "boundcheck.bounds.field.adaptive:ADAM",
    "field.adam-regret": "boundcheck.bounds.field.adam_regret:REGRET",
    "field.adabound-regret": "boundcheck.bounds.field.adabound_regret:REGRET",
    "field.nsgdm": "boundcheck.bounds.field.normalised:NSGDM",
    "field.clipped-gd": "boundcheck.bounds.field.normalised:CLIPPED",
    "field.nsgdm-heavy": "boundcheck.bounds.field.heavy_tails:HEAVY",
    "field.sgd-chance": "boundcheck.bounds.field.high_probability:SGD",
    "field.adagrad-norm": "boundcheck.bounds.field.normalised:ADAGRAD_NORM",
    "field.signsgd": "boundcheck.bounds.field.signs:ONE",
    "field.signsgd-majority": "boundcheck.bounds.field.signs:VOTE",
    "field.sgd-expected": "boundcheck.bounds.field.sgd_star:STRONG",
    "field.sgd-interpolated": "boundcheck.bounds.field.sgd_star:CONVEX",
    "field.sgd-growth": "boundcheck.bounds.field.sgd_star:GROWTH",
    "field.svrg": "boundcheck.bounds.field.finite_sums:SVRG",
    "field.reshuffled": "boundcheck.bounds.field.finite_sums:RESHUFFLED",
    "field.ista": "boundcheck.bounds.field.composite:CONVEX",
    "field.fista": "boundcheck.bounds.field.composite:FAST",
    "field.proximal-gradient": "boundcheck.bounds.field.composite:SMOOTH",
    "field.fedprox": "boundcheck.bounds.field.fedprox:INEXACT",
    "field.fedavg-dissimilar": "boundcheck.bounds.field.local_methods:FEDAVG",
    "field.scaffold": "boundcheck.bounds.field.local_methods:SCAFFOLD",
    "field.delayed-sgd": "boundcheck.bounds.field.delays:STALE",
    "field.ef-sgd": "boundcheck.bounds.field.error_feedback:EF_2014",
    "field.gradient-tracking": "boundcheck.bounds.field.tracking:TRACKING",
    "field.extragradient": "boundcheck.bounds.field.extragradient:MONOTONE",
    "field.dp-sgd": "boundcheck.bounds.field.private:PRIVATE",
    "field.clipped-l0l1": "boundcheck.bounds.field.normalised:RELATIVE",
    "field.heavy-ball": "boundcheck.bounds.field.false_readings:HEAVY_BALL",
    "field.signsgd-speedup": "boundcheck.bounds.field.false_readings:VOTE",
    "field.incremental": "boundcheck.bounds.field.false_readings:LISTED",
    "field.sarah": "boundcheck.bounds.field.recursive:SARAH",
    "field.storm": "boundcheck.bounds.field.recursive:STORM",
    "field.local-sgd": "boundcheck.bounds.field.local_sgd:LOCAL",
    "field.qsgd": "boundcheck.bounds.field.local_sgd:QUANTISED",
}
"""Name to module and object."""
