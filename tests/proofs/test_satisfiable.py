"""What is proved from leaves that exclude each other says nothing, and that is said."""

import pytest

from boundcheck.cli.commands.prove import NOT_SEEN, prove
from boundcheck.proofs.search.outcomes import outcomes

PAGE = """
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "eta, a"
[vectors]
"x[t]" = "server, t = 0 .. T"
"u[t]" = "server"
"xi[t]" = "noise"
[equations]
step = "x[t + 1] = x[t] - eta mean(i) grad(x[t])"
[leaf.short]
says = "eta L <= 1"
[leaf.one]
says = "|u[t]|^2 <= a for t"
"""
RISES = '[leaf.rises]\nsays = "f(x[t]) - f(x[t + 1]) <= -1 for t"\n'
"""Against the descent lemma at a short step."""
NOISY = '[leaf.noisy]\nsays = "|x[t] + mean(i) xi[t]|^2 <= |x[t]|^2 - a for t"\n'
"""Noise makes a vector longer on average."""
GAP = '[leaf.gap]\nsays = "|mean(i) grad(x[t])|^2 <= a for t"\n'
CLAIMS = {
    "descent": (
        RISES + '[claim.it]\nsteps = "descent-lemma(u -> x[t], v -> x[t + 1]); rises; short; step"\n'
        'shows = "f(x[t + 1]) <= f(x[t]) - 1 for t"',
        "vacuous",
    ),
    "noise": (NOISY + '[claim.it]\nsteps = "noisy"\nshows = "|x[t] + mean(i) xi[t]|^2 <= |x[t]|^2 for t"', "vacuous"),
    "letters": ('[claim.it]\nshows = "a <= 2 if a eta <= 1, a >= 3, eta >= 1"', "vacuous"),
    "other leaves clash": (RISES + '[claim.it]\nsteps = "one"\nshows = "|u[t]|^2 <= 2 a for t"', "proved"),
    "met": (
        GAP + '[claim.it]\nsteps = "descent-lemma(u -> x[t], v -> x[t + 1]); gap; short; step"\n'
        'shows = "f(x[t + 1]) <= f(x[t]) for t"',
        "proved",
    ),
}


def page(tmp_path, body):
    path = tmp_path / "mine.toml"
    path.write_text(PAGE + body + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", CLAIMS)
def test_leaves_that_exclude_each_other_are_seen(name, tmp_path):
    body, verdict = CLAIMS[name]
    (one,) = outcomes(page(tmp_path, body))
    assert one["verdict"] == verdict
    if verdict == "proved":
        assert one["satisfiable"] is True


def test_it_is_said_where_no_run_is_met_and_nothing_absurd_is_proved(tmp_path, capsys):
    """Functions whose second derivative is at least 2 and at most 1/2: two points at which that is said are one."""
    leaves = (
        '[leaf.curved]\npoints = "p server, q server"\n'
        'says = "f(q) + <mean(i) grad(q), p - q> + |p - q|^2 <= f(p)"\n'
        '[leaf.flat]\npoints = "p server, q server"\n'
        'says = "f(p) <= f(q) + <mean(i) grad(q), p - q> + 1/4 |p - q|^2"\n'
    )
    claim = '[claim.it]\nsteps = "curved(p -> x[t], q -> x[t + 1]); flat(p -> x[t], q -> x[t + 1]); one"\n'
    path = page(tmp_path, leaves + claim + 'shows = "|x[t] - x[t + 1]|^2 <= 0 for t"')
    (one,) = outcomes(path)
    assert (one["verdict"], one["satisfiable"]) == ("proved", False)
    assert prove(str(path)) == 0
    assert NOT_SEEN.partition(":")[0] in " ".join(capsys.readouterr().out.split())
