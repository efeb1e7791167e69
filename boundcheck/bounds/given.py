"""A theorem as it is given in Python: a name, or an object whose method stands in the same file."""

from __future__ import annotations

import sys
from dataclasses import replace

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.bound import Bound
from boundcheck.errors import require
from boundcheck.metrics import Metric


def bound_of(bound: Bound | str) -> Bound:
    """Return a bound by its name, or one that is given, with the method and the metric that stand in its file.

    A theorem that a Python program imports names its method as it is called there, as one on the command line does.
    """
    if isinstance(bound, str):
        return BOUNDS[bound]
    require(isinstance(bound, Bound), "bound", bound, "a bound, or its name")
    beside = vars(module) if (module := sys.modules.get(bound.home)) else {}
    method = f"{bound.home}:{bound.method}" if isinstance(beside.get(bound.method), type) else bound.method
    metric = f"{bound.home}:{bound.metric}" if isinstance(beside.get(bound.metric), Metric) else bound.metric
    known = (method, metric) == (bound.method, bound.metric)
    return bound if known else replace(bound, method=method, metric=metric)
