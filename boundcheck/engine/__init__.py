"""Lanes, random numbers, `simulate`, and what is measured on the way."""

from __future__ import annotations

from boundcheck.engine.observers import METRICS
from boundcheck.engine.run import Run
from boundcheck.engine.simulate import simulate

__all__ = ["METRICS", "Run", "simulate"]
