"""Identities that every implementation has to obey, and the comparison of a user's implementation with ours.

Two questions.  `judge` puts an implementation in a method's place and asks the `identities` of `families`.  `compare`
runs it on the settings of `battery` on our minibatches (`replay`, `calling`); where it differs, `diagnosis` names the
reason: a known one of `mistakes`, another method (`others`), a number or formula that is read off (`reading`), a line
of our code changed (`variants`).  `explaining` decides whether a reason has the implementation's iterates.
"""

from __future__ import annotations

from boundcheck.conform.battery import BATTERY, BatterySetting
from boundcheck.conform.compare import compare
from boundcheck.conform.comparison import Comparison
from boundcheck.conform.identities import IDENTITIES, about, run
from boundcheck.conform.identity import Deviation, IdentityResult, Judgement, MethodIdentity
from boundcheck.conform.judge import judge
from boundcheck.conform.own_parts import CompressorCheck, SamplerCheck, check_compressor, check_sampler
from boundcheck.conform.replay import Client

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
