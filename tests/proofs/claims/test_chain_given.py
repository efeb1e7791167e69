"""Claims under hypotheses: proved as they stand, and refuted by values that meet hypotheses that are too loose."""

import re
from fractions import Fraction

import pytest
from turns import case_of

from boundcheck.proofs.search.outcomes import outcomes

HEAD = """
title = "lines under hypotheses"
uses = "facts.toml"
indices = "t = 0 .. T - 1"

[letters]
"> 0" = "x, y"

[vectors]
"a[t]" = "server, t = 0 .. T"
"b[t]" = "server, t = 0 .. T"
"""
LINES = [
    (["x <= 1"], "x^2 <= x", ["x <= 21/20"]),
    (["x y <= 1"], "x^2 y <= x", ["x y <= 21/20"]),
    (["x <= 1", "y <= 1"], "(x + y)^2 <= 4", ["x <= 1", "y <= 21/20"]),
    (["x <= 1", "y <= x"], "y^2 <= x", ["x <= 1", "y <= 21/20 x"]),
    (["2 x <= 1"], "1 <= 2 - 2 x", ["2 x <= 21/20"]),
    (["x <= y"], "x |a[t]|^2 <= y |a[t]|^2", ["x <= 21/20 y"]),
    (["x >= 1"], "|a[t]|^2 <= x^2 |a[t]|^2", ["x >= 19/20"]),
    (["x y >= 1"], "2 <a[t], b[t]> <= x |a[t]|^2 + y |b[t]|^2", ["x y >= 19/20"]),
    (["x + y <= 1"], "|x a[t] + y b[t]|^2 <= x |a[t]|^2 + y |b[t]|^2", ["x + y <= 21/20"]),
    (["x <= 1"], "x |a[t] + b[t]|^2 <= 2 |a[t]|^2 + 2 |b[t]|^2", ["x <= 21/20"]),
]
"""Hypotheses, what follows, and hypotheses that are 5 % looser, under which it does not."""
NAMES = [shows for _, shows, _ in LINES]
LOOSER = ("x^2 <= x", "x^2 y <= x", "(x + y)^2 <= 4", "1 <= 2 - 2 x", "|a[t]|^2 <= x^2 |a[t]|^2")
"""Lines whose looser hypotheses every test run tries; of the others one hypothesis less."""
DEAR = ("2 <a[t], b[t]> <= x |a[t]|^2 + y |b[t]|^2",)
"""Lines whose neighbours take as long as those of all others."""
WAYS = [
    case_of((line, how), slow=line in DEAR or (how == "looser") != (line in LOOSER))
    for line in NAMES
    for how in ("looser", "dropped")
]


def decided(folder, given, shows):
    """Return the outcome of one claim."""
    known = " for t" * ("[t]" in shows) + f" if {', '.join(given)}" * bool(given)
    (folder / "mine.toml").write_text(f'{HEAD}[claim.line]\nshows = "{shows}{known}"\n')
    (outcome,) = outcomes(folder / "mine.toml")
    return outcome


def sides(text, at):
    """Return left and right-hand side of a relation at a witness, and its sign."""
    left, sign, right = re.fullmatch(r"(.*) ([<>]=) (.*)", text).groups()
    return value(left, at), sign, value(right, at)


def value(text, at):
    """Return a side at a witness: letters are fractions, vectors are rows of them."""
    text = re.sub(r"\|([^|]*)\|\^2", r"dot(\1, \1)", text).replace("[t]", "")
    text = re.sub(r"<([^<>]*), ([^<>]*)>", r"dot(\1, \2)", text).replace("^", "**")
    # Juxtaposed factors are multiplied.
    text = re.sub(r"(\d|\b[xy]|\)) (?=[\w(])", r"\1*", text)
    return eval(text, {"dot": lambda u, v: u.dot(v), **at})


class Row(tuple):
    """A vector of fractions."""

    __slots__ = ()

    def __add__(self, other):
        return Row(p + q for p, q in zip(self, other, strict=True))

    def __rmul__(self, number):
        return Row(number * p for p in self)

    def dot(self, other):
        return sum(p * q for p, q in zip(self, other, strict=True))


def read(witness):
    """Return a witness as numbers and rows; `0` is a vector of two zeros."""
    at = {}
    for name, text in witness.items():
        rows = [Fraction(one) for one in re.findall(r"-?\d+(?:/\d+)?", text)]
        at[name.removesuffix("[t]")] = rows[0] if name in {"x", "y"} else Row(rows if len(rows) == 2 else (0, 0))
    return at


@pytest.mark.parametrize(("given", "shows", "loose"), LINES, ids=NAMES)
def test_what_follows_is_proved(tmp_path, given, shows, loose):
    """Under the hypotheses as they stand."""
    assert decided(tmp_path, given, shows)["verdict"] == "proved"


@pytest.mark.parametrize(("line", "how"), WAYS)
def test_a_neighbour_is_refuted_where_its_hypotheses_hold(tmp_path, line, how):
    """Looser by 5 %, or with one hypothesis less: the values meet what is left, and not the claim."""
    given, shows, loose = LINES[NAMES.index(line)]
    for kept in [loose] if how == "looser" else [given[:k] + given[k + 1 :] for k in range(len(given))]:
        found = decided(tmp_path, kept, shows)
        assert found["verdict"] == "refuted", (kept, found["why"])
        at = read(found["witness"])
        for text in kept:
            left, sign, right = sides(text, at)
            assert left <= right if sign == "<=" else left >= right
        left, _, right = sides(shows, at)
        assert left > right
