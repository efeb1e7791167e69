"""Every registered theorem has an answer: its worst case is found, or the reason why not is one of a few."""

import re

import pytest

from boundcheck import BOUNDS
from boundcheck.bounds.field import FIELD
from boundcheck.bounds.given import bound_of
from boundcheck.errors import NotApplicableError
from boundcheck.evidence.search.extremes import place_on_class
from boundcheck.worst import worst

SERVED = {
    *(name for name in BOUNDS if name.startswith("momentum-fl.")),
    *(name for name in BOUNDS if name.startswith("fedglomo.") and not re.search(r"theorem2(R|S)?$", name)),
    *(f"gradma.lemma2{end}" for end in ("", "-printed")),
    *(f"gradma.lemma6{S}-{name}" for S in ("", "S") for name in ("fedavgm", "fedproxm", "fedavg")),
    *(f"field.gd-{name}" for name in ("best", "convex", "pl", "strong")),
    *(f"field.{name}" for name in ("sgd", "sgd-centre", "page", "fedavg-all", "scaffold-all", "fedavg-m-all")),
    "field.fedavg-sampled-all",
    *(f"field.{name}" for name in ("fedavg-pl", "scaffold-pl", "dsgd-all", "dsgd-pl", "scaffold")),
    *(f"field.{name}" for name in ("gradient-tracking", "heavy-ball", "sarah", "storm")),
}
"""Theorems whose worst case is found."""
REASONS = {
    "constants that a class of problems does not have": "is about .*, which worst cases do not know; known: Delta",
    "left-hand sides that worst cases do not have": "is about .*, which worst cases do not know; known: best_gradient",
    "methods that are not linear": "Gram coordinates need sums and multiples of vectors only",
    "letters that a run decides": "which belongs to a run: check measures it, or give it",
    "steps that are infinite without noise or idle clients": "which is infinite on the class",
}
"""Why the others have none, and how the message says it."""


def answer(name):
    """Return the reason why a theorem has no worst case, None where it has one."""
    bound = bound_of(name)
    chosen = {"zeta": 1.0} if "zeta" in bound.needs else {"G_0": 4.0} if "G_0" in bound.needs else {}
    try:
        at = place_on_class(bound, K=1, T=100, **chosen)
        case = worst(at.method, K=1, T=2, measure=at.measure, given=at.given, prove=False)
    except NotApplicableError as error:
        return str(error)
    assert case.verdict != "undecided"
    assert case.upper > 0
    return None


@pytest.mark.parametrize("name", [*BOUNDS, *FIELD])
def test_every_theorem_has_an_answer(name):
    """A worst case for those of the list, one of the reasons for all others: no other error, no empty message."""
    why = answer(name)
    assert (why is None) == (name in SERVED), why
    assert why is None or sum(re.search(pattern, why) is not None for pattern in REASONS.values()) == 1, why


def test_the_list_is_of_registered_theorems():
    """A theorem that is renamed does not stay on it; every linear method that the list could have is on it."""
    assert set(BOUNDS) | set(FIELD) >= SERVED
