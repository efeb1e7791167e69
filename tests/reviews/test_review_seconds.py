"""A review ends when its seconds do, on a machine that is busy with other things too, and says what they cut off."""

import signal
import time
from dataclasses import replace

import pytest

import boundcheck as bc
from boundcheck.bounds import BOUNDS
from boundcheck.errors import InputError
from boundcheck.evidence.search.refute import _RefutationSearch
from boundcheck.reviews import inquiry, places, questions
from boundcheck.reviews.clock import TimeBudget
from boundcheck.reviews.words import sections

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
DESCENT = BOUNDS["field.gd-convex"]


def _endless(*_args, **_named):
    while True:
        time.sleep(0.01)


class Watch:
    """A clock that is turned on where a test would wait."""

    def __init__(self):
        self.ahead = 0.0
        self.started = time.monotonic

    def monotonic(self):
        return self.started() + self.ahead

    def endless(self, *_args, **_named):
        """Wait for the timer, whose seconds are over at once."""
        self.ahead += signal.setitimer(signal.ITIMER_REAL, 1e-3, 2.0)[0]
        _endless()


@pytest.fixture
def watch(monkeypatch):
    watch = Watch()
    monkeypatch.setattr(time, "monotonic", watch.monotonic)
    return watch


def test_a_question_without_an_end_is_left():
    """What it had found stays, its name is noted, and the next one is asked; the control ends by itself."""
    clock, found = TimeBudget(1.2), []
    with clock.question("the first", 0.3):
        found.append(1)
        _endless()
    with clock.question("the second", 0.9):
        found.append(2)
    assert clock.cut == ["the first"]
    assert found == [1, 2]
    assert 0.2 < clock.elapsed_seconds < 1.2


def test_ordinary_handlers_do_not_take_the_end_for_an_answer():
    """A question that leaves out whatever raises an error would otherwise go on."""
    clock = TimeBudget(0.5)
    with clock.question("it", 1.0):
        try:
            _endless()
        except Exception:  # noqa: BLE001 (the widest one that code has)
            pytest.fail("swallowed")
    assert clock.cut == ["it"]


def test_a_timer_of_the_caller_goes_on():
    """Whoever calls may have a timer of their own: it rings when it would have."""
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.4)
        with TimeBudget(10.0).question("it", 1.0):
            pass
        assert not rung
        time.sleep(0.6)
        assert rung == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_review_goes_on_after_a_question_that_is_cut_off(monkeypatch, watch):
    """The rate hangs: all else is answered, and it is said that the rate was not asked, and how to ask it."""
    monkeypatch.setattr(questions, "see_rate", watch.endless)
    found = bc.review(DESCENT, work=500, budget=12)
    assert "its rate" in found.cut
    assert any(line.startswith("its rate: the seconds were over") for line in found.unasked)
    said = {section.title: section.lines for section in sections(found)}
    assert said["rate"][0] == questions.LEFT
    assert found.search is not None
    assert found.seconds < 12


def test_problems_that_were_looked_at_stay(monkeypatch, watch):
    """The third problem takes for ever: the first two are measured, and it is said that others were not looked at."""
    asked = []
    real = places._place_on

    def slow(bound, name, *rest):
        asked.append(name)
        return watch.endless() if len(asked) > 2 else real(bound, name, *rest)

    monkeypatch.setattr(places, "_place_on", slow)
    found = bc.review(DESCENT, work=500, budget=12)
    assert found.looked_at == 2
    assert len(asked) == 3
    assert any("some of the problems" in line for line in found.unasked)
    assert found.search is not None


def test_a_search_that_is_cut_off_is_not_an_empty_one(monkeypatch, watch):
    """That nothing could be searched is another answer than that the seconds were over."""
    monkeypatch.setattr(inquiry, "refute", watch.endless)
    found = bc.review(DESCENT, work=500, budget=8)
    assert questions.SEARCHED in found.cut
    said = {section.title: section.lines for section in sections(found)}
    assert said["search"] == (questions.LEFT,)
    empty = bc.review(replace(DESCENT, needs=(*DESCENT.needs, "mu", "G_inf")), work=500)
    assert {section.title: section.lines for section in sections(empty)}["search"] != (questions.LEFT,)


def test_a_search_whose_instance_hangs_says_what_it_had_seen(monkeypatch, watch):
    """The third instance takes for ever: the nearer of the two before is said, and that the seconds ended it."""
    tried = []
    real = _RefutationSearch._run

    def slow(self, *arguments):
        tried.append(1)
        return watch.endless() if len(tried) > 2 else real(self, *arguments)

    monkeypatch.setattr(_RefutationSearch, "_run", slow)
    found = bc.review(DESCENT, work=40_000, budget=16)
    assert found.search.verdict == "not contradicted"
    assert found.search.stopped_by == "seconds"
    assert found.search.ratio > 0
    assert found.search.tried == 2
    assert any("what the search had not looked at" in line for line in found.unasked)
    assert found.seconds < 16


def test_a_search_says_how_far_it_came(monkeypatch, watch):
    """More work than the seconds allow: the search ends by itself in time to say what it has seen."""
    real = _RefutationSearch._run

    def slow(self, *arguments):
        watch.ahead += 0.5
        return real(self, *arguments)

    monkeypatch.setattr(_RefutationSearch, "_run", slow)
    found = bc.review(DESCENT, work=1e12, budget=14)
    assert found.search is not None
    assert found.search.stopped_by == "seconds"
    assert found.search.tried > 0
    assert any("what the search had not looked at" in line for line in found.unasked)
    assert found.seconds < 14


@pytest.mark.parametrize("budget", [0.0, -1.0, float("inf"), float("nan")])
def test_seconds_that_are_no_number(budget):
    with pytest.raises(InputError, match="budget"):
        bc.review(DESCENT, budget=budget)
