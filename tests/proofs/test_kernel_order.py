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


PARTS = {
    "as they follow": ("h[t] = 0 for t = -2 .. -1", "h[t] = x[t] for t", True),
    "the later one first": ("h[t] = x[t] for t", "h[t] = 0 for t = -2 .. -1", True),
    "one entry twice": ("h[t] = x[t] for t", "h[t] = 0 for t = -2 .. 0", False),
    "a gap": ("h[t] = x[t] for t", "h[t] = 0 for t = -3 .. -2", False),
    "a part that may be empty": ("h[t] = x[t] for t = 0 .. T - 2", "h[t] = 0 for t = T - 1 .. T - 1", False),
}


@pytest.mark.parametrize("name", PARTS)
def test_two_parts_of_a_range_stand_in_any_order_end_to_end(name, tmp_path):
    first, second, legal = PARTS[name]
    page = tmp_path / "parts.toml"
    page.write_text(
        f"""
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T"
[vectors]
"x[t]" = "server"
"xi[t]" = "noise"
"h[t]" = "server, t = -3 .. T - 1"
[equations]
first = "{first}"
second = "{second}"
""".replace("-3 .. T - 1", "-3 .. T - 1" if "gap" in name else "-2 .. T - 1"),
        encoding="utf-8",
    )
    file = File()
    file.read(page)
    proof = Proof({"births": {"h": 0}, "order": ["x", "xi", "h"]})
    if legal:
        assert "h" not in Kernel(file, Proof({"order": ["x", "xi", "h"]})).births.offsets
        with pytest.raises(Refused, match="may be younger"):  # x has no equation, and may depend on all noise
            Kernel(file, proof)
    else:
        with pytest.raises(Refused, match=r"not one for each entry|two equations"):
            Kernel(file, proof)


PAST = """
indices = "i = 1 .. N, t = -D .. T, d = 0 .. D, b = 1 .. D"

[letters]
"> 0" = "N, T, D"

[vectors]
"g[t]" = "server"
"x[t]" = "server"
"y[t]" = "server, t = 0 .. T"
"xi[t]" = "noise"

[equations]
heard = "g[t] = mean(i) xi[t] for t"
made = "EQUATION"
"""
BACKWARDS = {
    "what is of this time is younger": ("y[t + 1] = mean(d) g[t - d] for t = 0 .. T - 1", -1, "may be younger"),
    "and is as old as that": ("y[t + 1] = mean(d) g[t - d] for t = 0 .. T - 1", 0, ""),
    "one step back it is older": ("y[t + 1] = mean(b) g[t - b] for t = 0 .. T - 1", -1, ""),
    "nothing is made of itself": ("x[t] = mean(d) x[t - d] for t = 0 .. T", 1, "is not determined before"),
    "what stands before it is": ("x[t] = mean(b) x[t - b] for t = 0 .. T", 1, ""),
}


@pytest.mark.parametrize("name", BACKWARDS)
def test_a_mean_over_the_past_is_as_young_as_its_youngest_part(name, tmp_path):
    """The index of the mean is subtracted, so that its first value is the latest."""
    equation, birth, why = BACKWARDS[name]
    (tmp_path / "past.toml").write_text(PAST.replace("EQUATION", equation), encoding="utf-8")
    file = File()
    file.read(tmp_path / "past.toml")
    proof = Proof({"births": {"g": 1, "y": birth}, "order": ["xi", "g", "x", "y"]})
    if why:
        with pytest.raises(Refused, match=why):
            Kernel(file, proof)
    else:
        assert Kernel(file, proof).births.order == ["xi", "g", "x", "y"]
