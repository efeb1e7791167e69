"""Lanes, random numbers, `simulate`, and what is measured on the way.

A setting (`setting`) and lanes go in, a `run` comes out.  Read `simulate`, `block` (lanes in one array), `rounds` (the
loop), `oracle` (what a method sees; `arrays` is what all oracles share), `streams` (one stream of random words a lane)
and `observers` (running averages).  `mixed` puts lanes with several N into one array; `compiled` and `exact` are rooms.
"""

from __future__ import annotations

from boundcheck.engine.run import Run
from boundcheck.engine.setting import Setting
from boundcheck.engine.simulate import simulate
from boundcheck.metrics import METRICS

__all__ = ["METRICS", "Run", "Setting", "simulate"]
