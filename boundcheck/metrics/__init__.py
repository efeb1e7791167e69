"""The left-hand sides of theorems: what is measured, with meaning, unit and rounding in one record each.

Read `metric` first (what a record says), then `records` (the list `METRICS`); `measuring` measures at one point of a
run, `transitions` on a whole round.
"""

from __future__ import annotations

from boundcheck.metrics.metric import Metric, is_metric
from boundcheck.metrics.records import METRICS, Metrics, metric_of

__all__ = ["METRICS", "Metric", "Metrics", "is_metric", "metric_of"]
