"""A claim that does not follow gets values at which it fails, evaluated here in plain numpy."""

import re

import numpy as np
import pytest

from boundcheck.proofs.search.outcomes import outcomes

HEAD = """
title = "false lines"
uses = "facts.toml"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "x"

[vectors]
"a[t]" = "server, t = 0 .. T"
"b[t]" = "server, t = 0 .. T"
"c[t]" = "client, t = 0 .. T"
"xi[t]" = "noise"

[leaf.shorter]
says = "|a[t]|^2 <= |b[t]|^2 for t"

[leaf.small]
says = "x <= 1"
"""


def decided(folder, shows, steps=(), over="t"):
    """Return the outcome of one claim."""
    by = f"steps = '{'; '.join(steps)}'\n" if steps else ""
    statement = f"{shows} for {over}" if over else shows
    (folder / "mine.toml").write_text(f"{HEAD}[claim.line]\n{by}shows = '{statement}'\n")
    (outcome,) = outcomes(folder / "mine.toml")
    return outcome


def vectors(text):
    """Return the coordinates that stand in a text, one row a vector."""
    rows = [row or "0, 0" for row in re.findall(r"\(([^)]*)\)|\b0\b", text)]
    return np.array([[eval(x) for x in row.split(",")] for row in rows])


def test_a_form_without_premises(tmp_path):
    """|a + b|^2 is not at most |a|^2 + |b|^2."""
    witness = decided(tmp_path, "|a[t] + b[t]|^2 <= |a[t]|^2 + |b[t]|^2")["witness"]
    a, b = vectors(witness["a[t]"])[0], vectors(witness["b[t]"])[0]
    assert (a + b) @ (a + b) > a @ a + b @ b


def test_a_letter_among_vectors(tmp_path):
    """Young's inequality with 2 x for x."""
    witness = decided(tmp_path, "2 <a[t], b[t]> <= x |a[t]|^2 + |b[t]|^2/(2 x)")["witness"]
    a, b, x = vectors(witness["a[t]"])[0], vectors(witness["b[t]"])[0], eval(witness["x"])
    assert 2 * a @ b > x * a @ a + b @ b / (2 * x)


def test_premises_hold_at_the_witness(tmp_path):
    """<a, b> <= |a|^2 does not follow from |a| <= |b|; <a, b> <= |b|^2 does."""
    witness = decided(tmp_path, "<a[t], b[t]> <= |a[t]|^2", ["shorter"])["witness"]
    a, b = vectors(witness["a[t]"])[0], vectors(witness["b[t]"])[0]
    assert a @ a <= b @ b
    assert a @ b > a @ a
    assert decided(tmp_path, "<a[t], b[t]> <= |b[t]|^2", ["shorter : 1/2"])["verdict"] == "proved"


def test_clients_differ(tmp_path):
    """The mean of squares is not at most the square of the mean: two clients at least, mean and deviation shown."""
    witness = decided(tmp_path, "|c[t]|^2 <= |mean(i) c[t]|^2")["witness"]
    assert int(witness["N"]) >= 2
    mean, deviation = witness["c[t]"].removeprefix("mean ").split(", deviation ")
    assert mean == "0"
    assert (vectors(deviation) ** 2).sum() > 0


@pytest.mark.parametrize("steps", [[], ["small : 1"]])
def test_letters_keep_to_what_steps_say(steps, tmp_path):
    """x^2 <= 2 x holds for x <= 1, whether or not its proof is found; without that step it does not follow."""
    found = decided(tmp_path, "x^2 <= 2 x", steps, over="")
    assert found["verdict"] in ({"undecided", "proved"} if steps else {"does not follow"})
    if not steps:
        assert eval(found["steps_allow"]["x"]) > 2
        assert "small" in found["why"]


def test_noise_stays_orthogonal_to_what_is_older(tmp_path):
    """|a + xi|^2 <= |a|^2 fails, and the vectors shown obey E<a, xi> = 0."""
    found = decided(tmp_path, "|a[t] + xi[t]|^2 <= |a[t]|^2")
    if found["verdict"] == "refuted":
        a, noise = (vectors(found["witness"].get(name, "(0, 0)"))[0] for name in ("a[t]", "xi[t]"))
        assert a @ noise == 0
    assert found["verdict"] in {"refuted", "undecided"}


def test_a_minimum_has_no_witness_by_chance(tmp_path):
    """What is the smallest of several is never met by chance, so such a claim is not refuted."""
    text = HEAD + '[claim.line]\nshows = "x <= 1 if x = min(2, 3)"\n'
    (tmp_path / "mine.toml").write_text(text)
    assert outcomes(tmp_path / "mine.toml")[0]["verdict"] in {"undecided", "does not follow"}
