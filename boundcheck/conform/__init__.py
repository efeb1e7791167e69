"""Identities that every implementation has to obey, and the comparison of a user's implementation with ours."""

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
