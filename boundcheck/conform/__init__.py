"""Identities that every implementation has to obey, and the comparison of a user's implementation with ours.

Two questions.  `judge` puts an implementation in a method's place and asks the `identities` of `families`.  `compare`
runs it on our minibatches (`runs`); where it differs, `reasons` names why: a known mistake (`mistakes`), which is a
piece of a round that goes wrong (`faults`), another method, a number or formula that is read off (`reading`), a line of
our code changed (`variants`).  `explaining` decides whether a reason has the implementation's iterates.  `equations`
checks those of a proof against a method's code.
"""

from __future__ import annotations

from boundcheck.conform.compare import compare
from boundcheck.conform.identities import IDENTITIES, about, run
from boundcheck.conform.identity import Deviation, IdentityResult, Judgement, MethodIdentity
from boundcheck.conform.judge import judge
from boundcheck.conform.own_parts import CompressorCheck, SamplerCheck, check_compressor, check_sampler
from boundcheck.conform.runs.battery import BATTERY, BatterySetting
from boundcheck.conform.runs.comparison import Comparison
from boundcheck.conform.runs.replay import Client

__all__ = [
    "BATTERY",
    "IDENTITIES",
    "BatterySetting",
    "Client",
    "Comparison",
    "CompressorCheck",
    "Deviation",
    "IdentityResult",
    "Judgement",
    "MethodIdentity",
    "SamplerCheck",
    "about",
    "check_compressor",
    "check_sampler",
    "compare",
    "judge",
    "run",
]
