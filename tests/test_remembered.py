import math

import pytest
from remembered import remember


def test_a_question_is_answered_once_as_long_as_the_patch_lasts(monkeypatch):
    """The same arguments once, others anew; afterwards the function is what it was."""
    asked, gcd = [], math.gcd

    def count(*numbers):
        asked.append(numbers)
        return gcd(*numbers)

    monkeypatch.setattr(math, "gcd", count)
    with pytest.MonkeyPatch.context() as patch:
        remember(patch, "math", "gcd")
        assert [math.gcd(12, 18), math.gcd(12, 18), math.gcd(12, 8)] == [6, 6, 4]
    assert asked == [(12, 18), (12, 8)]
    assert math.gcd(12, 18) == 6
    assert len(asked) == 3


def test_what_shows_an_address_is_no_question(monkeypatch):
    """Another object may stand there later."""
    remember(monkeypatch, "math", "gcd")
    with pytest.raises(AssertionError, match="object at 0x"):
        math.gcd(object())
