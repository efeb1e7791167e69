"""Files of proofs: what a line says is what is read, and what is not legal is named."""

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs.language.files import load

PAGE = """
title = "a page"
method = "fedavg"
hyper = "beta = a/(1 + a), gamma = 1"
indices = "i = 1 .. N, t = 0 .. T - 1"

[letters]
"> 0" = "N, T, a"
"> 0, t = 0 .. T" = "eta[t]"
"series t" = "powers"

[conditions]
tiny = "a <= 1"
both = "tiny, a = min(a, T)"

[vectors]
"x[t]" = "server, t = 0 .. T"

[start]
begin = "x[0] = 0 [Algorithm 1, line 2]"

[equations]
step = "x[t + 1] = x[t] - eta[t] x[t]"

[definitions]
gap = "gap[t] = |x[t]|^2 for t = 0 .. T"

[leaf.small]
title = "where it is (small) [Lemma 2, eq. (3)]"
says = "|u|^2 <= a if a <= 1, a = min(a, T)"
points = "u client"

[leaf.known]
kind = "fact"
title = "[l.7]"
says = "gap[t] <= a for t = 1 .. T - 1"

[claim.mine.first]
steps = "known; gap : 1/a"
shows = \"\"\"gap[t] <= a
  for t = 1 .. T - 1 if both, a <= 2\"\"\"
"""


@pytest.fixture
def read(tmp_path):
    """Return what reads a page from a text."""

    def read(text):
        (tmp_path / "page.toml").write_text(text, encoding="utf-8")
        return load(tmp_path / "page.toml")

    return read


def test_a_line_is_what_is_read(read):
    """Each object beside the line that spells it."""
    file = read(PAGE)
    setting = file.setting
    assert (file.title, file.method) == ("a page", "fedavg")
    assert {name: str(node) for name, node in file.hyper.items()} == {"beta": "a/(1 + a)", "gamma": "1"}
    assert setting.letters == {"N": "> 0", "T": "> 0", "a": "> 0", "powers": ">= 0"}
    assert (setting.series, setting.indexed["eta"].sign) == ({"powers": "t"}, "> 0")
    kinds = {id_: (one.kind, one.where) for id_, one in setting.definitions.items()}
    assert kinds == {"begin": ("start", "Algorithm 1, line 2"), "step": ("method", ""), "gap": ("definition", "")}
    small, known = setting.leaves.values()
    assert (small.kind, small.title, small.where) == ("assumption", "where it is (small)", "Lemma 2, eq. (3)")
    assert (small.points, [str(one) for one in small.given]) == ({"u": "client"}, ["a <= 1", "a = min(a, T)"])
    assert (known.kind, known.title, known.where) == ("fact", "", "l.7")
    (claim,) = file.claims
    assert claim.text.splitlines() == [
        "for t = 1 .. T - 1",
        "given a <= 1",
        "given a = min(a, T)",
        "given a <= 2",
        "step known",
        "step gap : 1/a",
        "shows gap[t] <= a",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ('"> 0" =', '"positive" =', 8, "'> 0', '>= 0', 'real', 'series k'"),
        ('"N, T, a"', '"N, T, a, if"', 8, "if is a word already"),
        ('"N, T, a"', '"N, T, a, a"', 8, "a is a letter already"),
        ('= "eta[t]"', '= "eta"', 9, "of letters with an index, eta"),
        ('"series t"', '"series s"', 10, "indices are i, t"),
        ("gamma = 1", "beta = 1", 4, "each name once"),
        ("gamma = 1", "gamma = c", 4, "the letters of this file"),
        ("gap = ", "gaps = ", 26, "with its name, gap = .."),
        ('for t = 0 .. T"', 'for s"', 26, "index letter 's'"),
        ("|x[t]|^2 for", "|x[t]|^2 if a <= 1 for", 26, "then for t = 1 .. T, k, then if"),
        ('kind = "fact"', 'kind = "belief"', 34, "'assumption', 'fact'"),
        ('kind = "fact"', "kind = 3", 34, "kind = 3 is not legal: a text"),
        ('says = "gap', 'shows = "gap', 36, "unknown key 'shows'; legal are title, says"),
        ('both, a <= 2"""', 'both, a"""', 40, "<=, >= or = was expected"),
        ('"tiny, a', '"large, a', 14, "<=, >= or = was expected"),
        ("both =", "gap =", 26, "gap is a condition already"),
        ("[claim.mine.first]", "[[claim]]", 0, "claim is not legal as it stands: tables"),
        ("[start]\n", "[[start]]\n", 0, "start is not legal as it stands: a table"),
        (
            "[start]\n",
            '[numbers]\n"s[t]" = "real"\n[start]\n',
            20,
            "such a sequence is >= 0, and its text says in words",
        ),
        ("[start]\n", "[claims]\n", 19, "unknown key 'claims'"),
        ('indices = "', "indices = 1 #", 5, "indices = 1 is not legal: a text"),
    ],
)
def test_what_is_not_legal_is_named(read, old, new, line, says):
    """The file, the line, and what would be legal."""
    assert old in PAGE
    with pytest.raises(InputError, match=says) as caught:
        read(PAGE.replace(old, new, 1))
    assert f"page.toml:{line}: " in str(caught.value) or not line
