"""A small part of an exhaustive test for every test run; the slow tests take the rest."""

import pytest


def case_of(values, *, slow):
    """Return one case, a value or a tuple of them, as a parameter of pytest's."""
    marks = [pytest.mark.slow] * slow
    return pytest.param(*values, marks=marks) if isinstance(values, tuple) else pytest.param(values, marks=marks)


def in_turn(cases, *values):
    """Return every case with each value, as pytest's parameters: one of the values in turn, the others slow."""
    return [
        case_of((case, value), slow=place % len(values) != k)
        for place, case in enumerate(cases)
        for k, value in enumerate(values)
    ]


def first_of_each(kind, cases):
    """Return every case as a parameter of pytest's: the first of each kind, by the function `kind`; the others slow."""
    seen, found = set(), []
    for case in cases:
        mine = kind(case)
        found.append(case_of(case, slow=mine in seen))
        seen.add(mine)
    return found


def every(n, cases, first=0):
    """Return every case as a parameter of pytest's: each n-th, beginning with number `first`; the others slow."""
    return [case_of(case, slow=(place - first) % n != 0) for place, case in enumerate(cases)]
