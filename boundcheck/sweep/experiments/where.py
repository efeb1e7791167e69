"""Where an assertion holds, in a line: the one thing that says most about which answer comes out."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.evidence.statistics.paired import Answer
    from boundcheck.sweep.experiments.questions import AssertionQuestion
    from boundcheck.sweep.recipes.experiment import Reading

Factors = dict[str, str]
"""What a question is asked about, by name: readout, share, budget, methods, experiment and setting."""
_EACH = 0.05
"""What every further value of a factor must earn, in nats: a line with few parts says more."""


def factors_of(reading: Reading, q: AssertionQuestion) -> Factors:
    """Return what a question is asked about."""
    asked = {
        "readout": reading.readout,
        "share": f"{reading.share:g}",
        "budget": q.axis,
        "experiment": q.ask.experiment,
    }
    return asked | {"method": q.of, "baseline": q.than, **{name: str(value) for name, value in q.setting.items()}}


def split_answers(answers: Sequence[tuple[Factors, Answer]]) -> str:
    """Return the factor that leaves least open which answer comes out, with its values and their answers.

    Parameters
    ----------
    answers : sequence of (factors, word)

    Returns
    -------
    str
        As in "by budget: rounds: 4 yes; bits: 3 no, 1 open"; empty where all answers are the same.
    """
    if len({word for _, word in answers}) < 2:
        return ""
    tables = {name: _table(answers, name) for name in dict.fromkeys(name for found, _ in answers for name in found)}
    several = {name: table for name, table in tables.items() if len(table) > 1}
    if not several:
        return ""
    best = min(several, key=lambda name: _open(several[name]) + _EACH * len(several[name]))
    return f"by {best}: " + "; ".join(
        f"{value or 'alone'}: {word_counts(words)}" for value, words in several[best].items()
    )


def word_counts(words: Mapping[str, int]) -> str:
    """Return how many answers are which, in the order of the words."""
    return ", ".join(f"{words[word]} {word}" for word in ("yes", "no", "same", "open") if words.get(word))


def _table(answers: Sequence[tuple[Factors, Answer]], name: str) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for factors, word in answers:
        found.setdefault(factors.get(name, ""), Counter())[word] += 1
    return found


def _open(table: Mapping[str, Counter[str]]) -> float:
    """Return the entropy of the answers once the factor is known, in nats."""
    total = sum(words.total() for words in table.values())
    return -sum(n * math.log(n / words.total()) for words in table.values() for n in words.values()) / total
