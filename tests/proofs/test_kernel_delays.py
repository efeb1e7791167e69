"""What proofs with delays need: parts of ranges, means one place later, two sums exchanged, fixed vectors, the least.

Each true claim is proved and holds in every small exact world; each false neighbour, one change away, fails in one of
them and is refused.
"""

import random
from fractions import Fraction
from itertools import product

import pytest
from kernel_worlds import World

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused, delays, rules
from boundcheck.proofs.kernel.context import Context

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, r = 0 .. T - 1, d = 0 .. D - 1"

[letters]
"> 0" = "N, T, D, eta"

[vectors]
"x[t]" = "server, t = 0 .. T"
"h[t]" = "server, t = -D .. T - 1"
"xi[t]" = "noise, t = -D .. T - 1"
"s" = "server"
"m" = "client"

[start]
early = "h[t] = 0 for t = -D .. -1"

[equations]
late = "h[t] = mean(i) grad(x[t]) + mean(i) xi[t] for t"
step = "x[t + 1] = x[t] - eta h[t - D] + s"

[definitions]
q = "q[t] = |h[t]|^2 for t = -D .. T - 1"
w = "w[t] = |xi[t]|^2 for t = -D .. T - 1"

[leaf.none]
says = "q[-1 - d] = 0 for d"
"""
EXCHANGE = {"exchanged": {"q[-d' + t' - 1]": "t'", "w[-d' + t' - 1]": "t'", "q[-d' + r - 1]": "r"}}
# What follows is a rule, whether it is true, the steps, and what they are to show.
CLAIMS = [
    ("fixed", True, "", "<s, xi[t]> = 0 for t"),
    ("fixed", True, "", "<m, xi[t]> = 0 for t"),
    ("fixed", True, "", "<grad(m), xi[t]> = 0 for t"),
    ("fixed", False, "", "<m, mean(i) grad(s)> = 0"),
    ("fixed", False, "", "|m|^2 = |mean(i) m|^2"),
    ("parts", True, "early(t -> -1 - d)", "|h[-1 - d]|^2 = 0 for d"),
    ("parts", True, "", "<h[t - 1], mean(i) xi[t]> = 0 for t"),
    ("parts", True, "", "<x[t], mean(i) xi[t]> = 0 for t"),
    ("parts", False, "early", "|h[t]|^2 = 0 for t"),
    ("parts", False, "late; early", "|h[t]|^2 = 0 for t"),
    ("parts", False, "", "<h[t], mean(i) xi[t]> = 0 for t"),
    ("parts", False, "early(t -> d - D)", "|h[d - D + 1]|^2 = 0 for d"),
    (
        "window",
        True,
        "window(u -> h[t - d]) [mean d]",
        "<mean(d) h[t - d], s> = <mean(d) h[t - 1 - d] + 1/D (h[t] - h[t - D]), s> for t",
    ),
    (
        "window",
        True,
        "window(u -> h[t - d]) [mean d]",
        "|mean(d) h[t - d]|^2 = |mean(d) h[t - 1 - d] + 1/D (h[t] - h[t - D])|^2 for t",
    ),
    ("window", False, "window(u -> h[t - d]) [mean d]", "<mean(d) h[t - d], s> = <mean(d) h[t - 1 - d], s> for t"),
    (
        "window",
        False,
        "window(u -> h[t - d]) [mean d]",
        "<mean(d) h[t - d], s> = <mean(d) h[t - 1 - d] + h[t] - h[t - D], s> for t",
    ),
    (
        "window",
        False,
        "window(u -> h[t - d]) [mean d]",
        "mean(d) |h[t - d]|^2 = mean(d) |h[t - 1 - d] + 1/D (h[t] - h[t - D])|^2 for t",
    ),
    (
        "window",
        False,
        "window(u -> xi[t - d]) [mean i]",
        "|mean(i) xi[t]|^2 = |xi[t]|^2 for t",
    ),
    (
        "fresh",
        True,
        "fresh(u -> xi[t - 1 - d]) [mean i, d] : 1",
        "|mean(i, d) xi[t - 1 - d]|^2 = 1/(N D) mean(d) |xi[t - 1 - d]|^2 for t",
    ),
    (
        "fresh",
        False,
        "fresh(u -> xi[t - 1 - d]) [mean i, d] : 1",
        "|mean(i, d) xi[t - 1 - d]|^2 = 1/N mean(d) |xi[t - 1 - d]|^2 for t",
    ),
    ("fresh", False, "fresh(u -> xi[t]) [mean i, d] : 1", "|mean(i, d) xi[t]|^2 = 1/(N D) |xi[t]|^2 for t"),
    ("past", True, "", "<mean(d) xi[t - d], h[t - D]> = 0 for t"),
    ("past", False, "", "<mean(d) xi[t - 1 - d], h[t - D]> = 0 for t if D >= 2"),
    ("past", True, "", "<mean(i) xi[t], mean(d) h[t - 1 - d]> = 0 for t"),
    ("past", False, "", "<mean(i) xi[t - 1], mean(d) h[t - 1 - d]> = 0 for t"),
    ("exchange", True, "none [mean d] : D/T", "mean(t) mean(d) q[t - 1 - d] <= mean(t) q[t]"),
    ("exchange", True, "none [mean d] : D^2", "sum(t) (D mean(d) q[t - 1 - d]) <= D sum(t) q[t]"),
    ("exchange", False, "none [mean d] : D/T", "mean(t) mean(d) q[t - 1 - d] <= 1/2 mean(t) q[t]"),
    ("exchange", False, "none [mean d] : D^2", "sum(t) (D mean(d) q[t - 1 - d]) <= sum(t) q[t]"),
    ("exchange", False, "", "mean(t) mean(d) w[t - 1 - d] <= mean(t) w[t]"),
    ("exchange", False, "none [mean d] : 1", "mean(t) mean(d) q[t - 1 - d] <= mean(d) q[-1 - d]"),
    ("exchange over a free index", False, "none [mean d] : D/T", "mean(d) q[r - 1 - d] <= mean(t) q[t] for r"),
    ("least", True, "", "least(t) w[t] <= mean(t) w[t]"),
    ("least", True, "", "mean(t) w[t] >= least(t) w[t]"),
    ("least", False, "", "mean(t) w[t] <= least(t) w[t]"),
    ("least", False, "", "least(t) w[t] <= 1/2 mean(t) w[t]"),
    ("least", False, "", "least(t) w[t] = mean(t) w[t]"),
    ("least", False, "", "least(t) w[t] <= w[r - 1] for r"),
]
# Where what is least is looked at, whether the claim is true, and what it shows.
LEAST = [
    ("0", True, "least(t) w[t] <= w[0]"),
    ("T - 1", True, "2 w[T - 1] >= least(t) w[t]"),
    ("r", True, "least(t) w[t] <= w[r] + w[0] for r"),
    ("0", False, "least(t) w[t] <= 1/2 w[0]"),
    ("-1", False, "least(t) w[t] <= w[-1]"),
    ("r - 1", False, "least(t) w[t] <= w[r - 1] for r"),
    ("0", False, "w[0] <= least(t) w[t]"),
    ("0", False, "least(t) w[t] = w[0]"),
    ("t", False, "least(t) w[t] <= 1/2 w[0]"),
    ("d", False, "least(t) w[t] <= 1/2 mean(d) w[d - D]"),
]
WORLDS = [(1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (1, 3, 1), (1, 2, 2), (1, 3, 2)]
TRUE, FALSE = ([one for one in CLAIMS if one[1] == kind] for kind in (True, False))


def _file(tmp_path, claim):
    _, _, steps, shows = claim
    page = tmp_path / "claims.toml"
    page.write_text(f'{SETTING}\n[claim.it]\nsteps = "{steps}"\nshows = "{shows}"\n', encoding="utf-8")
    file = File()
    file.read(page)
    return file


def kernel_of(file, part=EXCHANGE):
    data = {"births": {"x": 0, "h": 1}, "order": ["s", "m", "x", "xi", "h"], "claims": {"it": [part]}}
    return Kernel(file, Proof(data))


def _verdict(file, part=EXCHANGE):
    return kernel_of(file, part).check()["it"]


def _worlds(file, count, seed=11):
    rng = random.Random(seed)
    for _, (N, T, D) in product(range(count), WORLDS):
        yield World(file, {"N": N, "T": T, "D": D, "eta": Fraction(rng.randint(1, 3), 2)}, rng.random())


def _ids(claims):
    return [pytest.param(one, id=f"{one[0]}-{n}") for n, one in enumerate(claims)]


@pytest.mark.parametrize("claim", _ids(TRUE))
def test_what_is_true_is_proved_and_holds(claim, tmp_path):
    file = _file(tmp_path, claim)
    verdict = _verdict(file)
    assert verdict.proved, verdict.why
    for world in _worlds(file, 2):
        assert world.fails(file.leaves["none"]) is None
        assert world.fails(file.claims["it"].statement) is None, world.letters


@pytest.mark.parametrize("claim", _ids(FALSE))
def test_a_false_neighbour_fails_somewhere_and_is_refused(claim, tmp_path):
    file = _file(tmp_path, claim)
    assert any(_fails(world, file) for world in _worlds(file, 4))
    verdict = _verdict(file)
    assert not verdict.proved
    assert "not understood" not in verdict.why, verdict.why


@pytest.mark.parametrize(("at", "holds", "shows"), LEAST)
def test_what_is_least_is_no_larger_than_any(at, holds, shows, tmp_path):
    file = _file(tmp_path, ("least", holds, "", shows))
    verdict = _verdict(file, {"least": at})
    assert verdict.proved == holds, verdict.why
    assert any(_fails(world, file) for world in _worlds(file, 4)) != holds


def test_an_index_outside_of_the_range_of_what_is_least_is_refused(tmp_path, monkeypatch):
    """Without that check a false claim is proved."""
    file = _file(tmp_path, ("least", False, "", "least(t) w[t] <= w[-1]"))
    monkeypatch.setattr(Context, "require_within", lambda *_: None)
    assert _verdict(file, {"least": "-1"}).proved


def _fails(world, file):
    try:
        return world.fails(file.claims["it"].statement) is not None
    except (ZeroDivisionError, KeyError, IndexError):
        return True  # it says nothing: a division by 0, or an entry that does not exist


def _anywhere(monkeypatch):
    monkeypatch.setattr(delays, "_require_covered", lambda *_: None)


def _over_a_free_index(monkeypatch):
    monkeypatch.setattr(delays, "is_bound", lambda _: True)
    monkeypatch.setattr(delays, "_require_covered", lambda *_: None)


def _at_any_index(monkeypatch):
    monkeypatch.setattr(rules, "_apart", lambda *_: True)


@pytest.mark.parametrize(
    ("broken", "rule"),
    [(_anywhere, "exchange"), (_over_a_free_index, "exchange over a free index"), (_at_any_index, "fresh")],
)
def test_without_a_check_a_false_claim_is_proved(broken, rule, monkeypatch, tmp_path):
    files = []
    for n, claim in enumerate(one for one in FALSE if one[0] == rule):
        (tmp_path / str(n)).mkdir()
        files.append(_file(tmp_path / str(n), claim))
    broken(monkeypatch)
    assert any(_verdict(file).proved for file in files)


@pytest.mark.parametrize(
    ("start", "late"),
    [
        ("t = -D .. -1", "t"),
        ("t = -D .. 0", "t"),
        ("t = -D .. -2", "t"),
        ("t = -D + 1 .. -1", "t"),
        ("t = -D .. -1", "t = 0 .. T - 2"),
    ],
)
def test_parts_of_a_range_meet_and_hold_all_of_it(start, late, tmp_path):
    """A gap or an overlap is refused; a part at an end that is left out has no birth, so that no law is applied."""
    text = SETTING.replace("h[t] = 0 for t = -D .. -1", f"h[t] = 0 for {start}").replace(
        "mean(i) xi[t] for t", f"mean(i) xi[t] for {late}"
    )
    page = tmp_path / "claims.toml"
    page.write_text(f'{text}\n[claim.it]\nshows = "<x[t], mean(i) xi[t]> = 0 for t"\n', encoding="utf-8")
    file = File()
    file.read(page)
    whole = (start, late) == ("t = -D .. -1", "t")
    try:
        found = _verdict(file).proved
    except Refused:
        found = False
    assert found == whole
