"""Checks without the attack on the constants of a problem, which takes longer than all else in them."""

from importlib import import_module

ATTACKED = 8
"""Of every so many theorems on problems whose constants stand one is checked with the attack; all are in slow tests."""


def leave_out_attacks(monkeypatch):
    """Let no constant that somebody vouches for fall, until the end of a test."""
    monkeypatch.setattr(import_module("boundcheck.problems.certification.certify"), "certify", lambda problem: [])
