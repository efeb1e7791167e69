"""Seeded mistakes: all are found, nearly all are named, and nothing that is right is accused."""

from pathlib import Path

import pytest
from turns import case_of, every
from wrong_loops import REFERENCES, loop
from wrong_sources import CHANGES, LATE, OWN, UNLISTED

from boundcheck.conform import compare
from boundcheck.conform.mistakes import KNOWN, mistakes
from boundcheck.conform.mistakes.anywhere import ANYWHERE

PAGE = Path(__file__).parents[2] / "docs" / "conform.md"
STARTED = [(method, name, "start") for method in CHANGES for name in CHANGES[method]]
LATER = [(method, name, "late") for method in LATE for name in LATE[method]]
NOT_LISTED = [(method, name, "unlisted") for method in UNLISTED for name in UNLISTED[method]]
SEEDED = [*STARTED, *LATER, *NOT_LISTED]


# Diagnosing all of them takes a minute of processor time; at each change every twenty-eighth is asked, and what is
# cheap of those that begin later or have no words.
CHEAP = [
    ("fedavg", "clip-norm-10", "late"),
    ("fedavg", "grown-average", "unlisted"),
]
SEEDS = [*every(28, STARTED, first=9), *(case_of(seed, slow=seed not in CHEAP) for seed in (*LATER, *NOT_LISTED))]


def compared(method, mistake=None, when="start"):
    """Return what comes out for the reference with a mistake; SCAFFOLD-like methods at gamma other than 1."""
    hyper = {"gamma": 0.7} if method == "fedavg" else {}
    return compare(loop(method, mistake, when=when), method=method, hyper=hyper)


def named(method, mistake, when, diagnosis):
    """Return whether a sentence has the mistake's words, and the round from which on it is made."""
    words = mistakes(method).get(mistake)
    return words is not None and any(
        words.words in sentence and ("from round 6 on" in sentence) == (when == "late") for sentence in diagnosis
    )


@pytest.mark.parametrize("method", KNOWN)
def test_the_references_are_right_without_a_mistake(method):
    """The loops that the mistakes are made in agree with the registered methods, and every own mistake is seeded."""
    comparison = compared(method)
    assert comparison.ok
    assert max(c.deviation for c in comparison.checked) < 1e-12
    assert set(OWN[method]) == set(mistakes(method)) - set(ANYWHERE)
    assert set(CHANGES[method]) <= set(mistakes(method))


@pytest.mark.parametrize(("method", "mistake", "when"), SEEDS)
def test_every_seeded_mistake_is_found(method, mistake, when):
    """A changed loop differs, and gets the words of its mistake and no others, unless no words are listed for it."""
    comparison = compared(method, mistake, when)
    assert comparison.verdict == "differs"
    assert comparison.diagnosis
    if when != "unlisted":
        assert named(method, mistake, when, comparison.diagnosis)
        assert sum("with a mistake" in sentence for sentence in comparison.diagnosis) == 1
    else:
        # Nothing is named that the loop does not do; where it parts is said all the same.
        assert not any("with a mistake" in sentence for sentence in comparison.diagnosis)
        assert any("in round" in sentence for sentence in comparison.diagnosis)


def test_the_seeds_are_many():
    """At least sixty mistakes over ten methods, nine in ten of them named; docs/conform.md has the figures."""
    methods = {method for method, _, _ in SEEDED}
    unlisted = sum(len(names) for names in UNLISTED.values())
    total, words = len(SEEDED), len(SEEDED) - unlisted
    print(f"{total} seeded mistakes over {len(methods)} methods: {words} named, {unlisted} placed only")
    assert set(CHEAP) <= set(SEEDED)
    assert total >= 60
    assert len(methods) >= 10
    assert words / total >= 0.9
    assert methods == set(KNOWN) == set(REFERENCES)
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"seed {total} mistakes: all are found, {words} get their words and no others, and {unlisted} that" in text
