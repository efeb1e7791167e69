"""A small part of an exhaustive test for every test run; the slow tests take the rest."""

import pytest


def in_turn(cases, *values):
    """Return every case with each value, as pytest's parameters: one of the values in turn, the others slow."""
    return [
        pytest.param(case, value, marks=[pytest.mark.slow] * (place % len(values) != k))
        for place, case in enumerate(cases)
        for k, value in enumerate(values)
    ]


def first_of_each(kind, cases):
    """Return every case as a parameter of pytest's: the first of each kind, by the function `kind`; the others slow."""
    seen, found = set(), []
    for case in cases:
        mine = kind(case)
        marks = [pytest.mark.slow] * (mine in seen)
        found.append(pytest.param(*case, marks=marks) if isinstance(case, tuple) else pytest.param(case, marks=marks))
        seen.add(mine)
    return found
