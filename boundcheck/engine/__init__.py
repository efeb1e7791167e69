"""Lanes, random numbers, `simulate`, and what is measured on the way."""

from __future__ import annotations

from boundcheck.engine.run import Run
from boundcheck.engine.setting import Setting
from boundcheck.engine.simulate import simulate
from boundcheck.metrics import METRICS

__all__ = ["METRICS", "Run", "Setting", "simulate"]
