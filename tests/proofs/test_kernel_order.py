"""Equations determine each entry from others before it: a circle, through the end of a round too, is refused.

A file with a circle has no run, or more than one, so that anything might follow from it.
"""

import pytest

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused

SETTING = """
indices = "i = 1 .. N, t = 0 .. T - 1, k = 0 .. K - 1"

[letters]
"> 0" = "N, T, K"

[vectors]
"e" = "server"
"x[t]" = "server, t = 0 .. T"
"m[t]" = "server"
"p[t]" = "server"
"y[t, k]" = "server, k = 0 .. K"
"xi[t, k]" = "noise"

[equations]
end = "m[t] = y[t, K - 1]"
again = "p[t] = m[t]"
start = "y[t, 0] = START"
next = "y[t, k + 1] = y[t, k] + e"
round = "x[t + 1] = p[t]"
"""
ORDER = ["e", "x", "xi", "m", "p", "y"]


def made(start, late, order, tmp_path):
    page = tmp_path / "circle.toml"
    page.write_text(SETTING.replace("START", start), encoding="utf-8")
    file = File()
    file.read(page)
    return Kernel(file, Proof({"births": {}, "late": late, "order": order, "claims": {}}))


@pytest.mark.parametrize("late", [[], ["m"], ["p"], ["m", "p"]])
@pytest.mark.parametrize("order", [ORDER, ["e", "x", "xi", "p", "m", "y"], ["e", "x", "xi", "y", "m", "p"]])
def test_a_round_that_begins_with_its_own_end_is_refused(late, order, tmp_path):
    """With e = 1 and two steps, p = m = p + 1."""
    with pytest.raises(Refused, match="is not determined before"):
        made("p[t]", late, order, tmp_path)


def test_a_round_that_begins_with_the_end_of_the_one_before_is_legal(tmp_path):
    assert made("x[t]", ["m", "p"], ["e", "x", "xi", "y", "m", "p"], tmp_path).births.late == {"m", "p"}
