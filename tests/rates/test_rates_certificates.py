"""Certificates of attained rates: written, read, checked again, and refused where something was changed."""

import dataclasses
import json

import pytest

from boundcheck.errors import InputError
from boundcheck.rates import (
    HEADLINES,
    WORDS,
    attain,
    headline_of,
    judge_points,
    read_certificate,
    recheck,
    shipped_rates,
    write_certificate,
)
from boundcheck.rates.certificates import certificate_of


@pytest.fixture(scope="module")
def found():
    """Return a rate that takes a second."""
    return attain(headline_of("momentum-fl.theorem11", "T", (500, 1000, 2000), declared={"sigma": 1.2}, N=2))


def test_a_certificate_comes_back_as_it_was_and_stands(found, tmp_path):
    """Written as JSON, read, equal, and nothing differs when it is run again."""
    path = tmp_path / "rate.json"
    write_certificate(path, [found])
    (back,) = read_certificate(path.read_text(), "rate.json")
    assert back == found
    assert recheck(back) == []


def changed(found, **fields):
    """Return the rate with fields of its last point changed."""
    *points, last = found.points
    return dataclasses.replace(found, points=(*points, dataclasses.replace(last, **fields)))


def test_what_was_changed_is_named(found):
    """A word, a slope, a reading, a right-hand side: each is found, the first two without running anything."""
    lied = dataclasses.replace(found, word="slower")
    assert any("'slower'" in line for line in recheck(lied, run=False))
    steeper = dataclasses.replace(found, late=dataclasses.replace(found.late, value=-0.6))
    assert any(line.startswith(f"{found.headline.id}: late") for line in recheck(steeper, run=False))
    assert any("late at 2000" in line for line in recheck(changed(found, late=[found.points[-1].late[0] * 1.001])))
    assert any("rhs at 2000" in line for line in recheck(changed(found, rhs=found.points[-1].rhs * 1.001)))
    # Readings that agree with a false word are found by running alone.
    copied = dataclasses.replace(
        judge_points(found.headline, tuple(dataclasses.replace(p, late=[0.1], average=[0.1]) for p in found.points))
    )
    assert recheck(copied, run=False) == []
    assert recheck(copied)


def test_an_unattainable_rate_is_checked_by_its_conditions():
    """No points: what is checked is that the conditions still fail."""
    none = attain(headline_of("momentum-fl.theorem22-proof", "T", (100, 200, 400), declared={"sigma": 1.0}, N=4))
    assert recheck(none) == []
    assert recheck(dataclasses.replace(none, word="as promised")) != []


def with_points(data, change):
    """Return a certificate with other points."""
    (one,) = data["rates"]
    return data | {"rates": [one | {"points": change(one["points"])}]}


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda d: "{", "line 1: not JSON"),
        (lambda d: json.dumps([]), "kind = None is not legal: 'attained rates'"),
        (lambda d: json.dumps(d | {"kind": "proof"}), "kind = 'proof' is not legal"),
        (lambda d: json.dumps(d | {"rates": 3}), "rates: Expected `array`"),
        (lambda d: json.dumps(d).replace('"letter": "T"', '"letter": "Q"'), "letter"),
        (lambda d: json.dumps(d).replace('"word": "as promised"', '"word": "proved"'), "word"),
        (lambda d: json.dumps(d).replace('"momentum-fl.theorem11"', '"own.py:MINE"'), "no code is run"),
        (lambda d: json.dumps(d).replace('"tail[link=tail:0.05]"', '"own.py:MINE"'), "no code is run"),
        (lambda d: json.dumps(with_points(d, lambda points: points[:2])), "points = 2 is not legal"),
        (lambda d: json.dumps(with_points(d, lambda points: points[::-1])), "x = "),
        (lambda d: json.dumps(with_points(d, lambda points: [points[0] | {"late": [1, 2]}, *points[1:]])), "late = "),
        (lambda d: json.dumps(with_points(d, lambda points: [points[0] | {"late": []}, *points[1:]])), "late = "),
        (lambda d: json.dumps(with_points(d, lambda points: [p | {"control": []} for p in points])), "control = "),
        (lambda d: json.dumps(with_points(d, lambda points: [points[0] | {"x": 0.0}, *points[1:]])), "x = "),
        (lambda d: json.dumps(with_points(d, lambda points: [points[0] | {"rhs": -1.0}, *points[1:]])), "rhs = "),
        (lambda d: json.dumps(d).replace('"size": 1.0', '"size": -1.0'), "control.size = -1.0"),
        (lambda d: json.dumps(d).replace('"size": 1.0', '"size": 1e300'), r"control.size = 1e\+300"),
    ],
)
def test_a_broken_certificate_is_refused(found, break_it, words):
    """One line with the file, the key and what is legal."""
    with pytest.raises(InputError, match=words) as caught:
        read_certificate(break_it(certificate_of([found])), "rate.json")
    assert str(caught.value).startswith("rate.json: ")
    assert "\n" not in str(caught.value)


def test_the_shipped_rates_are_the_headlines_and_say_what_their_readings_say():
    """Every headline has a row with the same question, and no word or slope is other than its readings make it."""
    shipped = shipped_rates()
    assert list(shipped) == list(HEADLINES)
    for name, one in shipped.items():
        assert one.headline == HEADLINES[name]
        assert recheck(one, run=False) == []
        assert one.word in WORDS


def test_at_most_five_headline_rates_are_undecided():
    """And each of these says what it would take."""
    open_ones = [one for one in shipped_rates().values() if one.word == "undecided"]
    assert len(open_ones) <= 5
    assert all(one.note for one in open_ones)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fedavg-m.K", "fedavg-m-vr.T", "fedlalr.T", "scaffold-m.T", "fedglomo.T", "storm.T"])
def test_shipped_rates_stand_when_they_are_run_again(name):
    """Reading by reading, to what rounding may do."""
    assert recheck(shipped_rates()[name]) == []
