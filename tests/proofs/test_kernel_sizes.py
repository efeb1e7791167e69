"""With samples of two sizes the letter `spread` belongs to neither, also where the sizes are given to be equal."""

import pytest

from boundcheck.proofs.kernel import File, Kernel, Proof, Refused, check

PAGE = """
indices = "i = 1 .. N, t = 0 .. T - 1"
[letters]
"> 0" = "N, T, S, R"
">= 0" = "spread"
[vectors]
"u[t]" = "client"
"xi[t]" = "noise"
"A[t]" = "sample of S"
OTHER
[claim.it]
shows = "spread <= 1 if GIVEN"
"""
"""With two sizes it is a number of which nothing is known but its sign: false at 2."""
TWO = '"B[t]" = "sample of R"'


def proved(tmp_path, other, given, values, page_text=PAGE):
    page = tmp_path / "sizes.toml"
    page.write_text(page_text.replace("OTHER", other).replace("GIVEN", given), encoding="utf-8")
    file = File()
    file.read(page)
    choices = {"claims": {"it": [{}], "it at": [{}]}, "values": {"it": values}}
    return Kernel(file, Proof(choices)).check()["it"].proved


ONE = "S = 1, R = 1"


@pytest.mark.parametrize("values", [["S"], ["R"], ["S", "R"], []])
def test_equal_sizes_give_it_no_meaning(tmp_path, values):
    assert not proved(tmp_path, TWO, ONE, values)


def test_all_clients_twice_give_it_no_meaning(tmp_path):
    assert not proved(tmp_path, TWO.replace("of R", "of N"), "S = N", ["S"])


def test_of_one_size_it_is_at_most_1(tmp_path):
    assert proved(tmp_path, "", "S = 1", ["S"])
    assert proved(tmp_path, "", "S = R", [])


def test_without_the_check_what_is_false_is_proved(tmp_path, monkeypatch):
    monkeypatch.setattr(check, "has_spread", lambda _: False)
    assert proved(tmp_path, TWO, ONE, ["S", "R"])


def test_it_is_not_declared_positive(tmp_path):
    """It is 0 for S = N: what divides by it would be proved of these samples, too."""
    positive = PAGE.replace("S, R", "S, R, spread").replace('">= 0" = "spread"', "")
    with pytest.raises(Refused, match="spread is 0 where"):
        proved(tmp_path, "", "S = 1", ["S"], positive)
    assert not proved(tmp_path, TWO, "S = 1", ["S"], positive)
