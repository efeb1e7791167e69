"""Reasons for a sign: squares are multiplied out by the kernel, refused when altered; no letter is 0 and divided by."""

import copy
import json
from fractions import Fraction

import pytest

from boundcheck.proofs.chain.whole.proof import decide_file
from boundcheck.proofs.kernel import File, Kernel, Proof
from boundcheck.proofs.language.files import load
from boundcheck.proofs.search.finder import find_for

PAGE = """
indices = "t = 0 .. T - 1"
[letters]
"> 0" = "T, a, b"
"real" = "x, y, z"
[numbers]
"A[t]" = "a sequence"
[claim.it]
shows = "SHOWS"
"""
CLAIMS = [
    "x^2 + y^2 + z^2 >= x y + y z + z x",
    "x^4 + y^4 + z^4 >= x y z (x + y + z)",
    "a x^2 + b y^2 >= - 2 a b x y if a b <= 1",
]


def objects_of(shows, folder):
    """Return a page and the proof object that is found for it."""
    page = folder / "page.toml"
    page.write_text(PAGE.replace("SHOWS", shows), encoding="utf-8")
    illegal: dict[str, str] = {}
    file = load(page, illegal=illegal)
    found = find_for(file, decide_file(file, illegal), folder / "made")
    return found.page, json.loads(found.choices.read_text(encoding="utf-8"))


def is_proved(page, data):
    file = File()
    file.read(page)
    return Kernel(file, Proof(copy.deepcopy(data))).check()["it"].proved


def products_of(data):
    """Return the products with a square in them, of the reasons for signs."""
    reasons = [
        one
        for part in data["claims"]["it"]
        for why in part["signs"].values()
        for _, products, _ in why["factors"]
        for one in products
    ]
    return [one for one in reasons if len(one) == 4]


@pytest.mark.parametrize("shows", CLAIMS)
def test_a_square_is_a_reason_and_no_other_one_is(shows, tmp_path):
    """Each number of each root, and each weight, is changed once; a third factor of a root is no square."""
    page, data = objects_of(shows, tmp_path)
    assert is_proved(page, data)
    assert products_of(data)
    for n, product in enumerate(products_of(data)):
        for k in range(len(product[3])):
            other = copy.deepcopy(data)
            term = products_of(other)[n][3][k]
            term[0] = str(Fraction(term[0]) * 2)
            assert not is_proved(page, other)
        for change in (
            lambda one: one.__setitem__(0, f"-{one[0]}"),
            lambda one: one.append(one[3]),
            lambda one: one.pop(),
        ):
            other = copy.deepcopy(data)
            change(products_of(other)[n])
            assert not is_proved(page, other)


@pytest.mark.parametrize(("one", "proved"), [("1 + ", True), ("", False)])
def test_a_square_may_be_zero(one, proved, tmp_path, monkeypatch):
    """(x/2 + y)^2 is not positive, and nothing is divided by it; 1 beside it is."""
    page = tmp_path / "page.toml"
    page.write_text(PAGE.replace("SHOWS", f"1/({one}x^2/4 + x*y + y^2) >= 0"), encoding="utf-8")
    square = ["1", {}, [], [["1/2", {"x": 1}], ["1", {"y": 1}]]]
    why = {"factors": [[1, [square, *([["1", {}, []]] if one else [])], []]]}
    monkeypatch.setattr(Proof, "sign", lambda self, question, context: why)
    assert is_proved(page, {"claims": {"it": [{}]}}) == proved


DIVIDED = {
    "a letter": ("y >= 0 if x^2 y >= 0", [[1, [["1", {"x": -2}, ["x^2*y"]]], []]]),
    "a letter that is not negative": ("y >= 0 if q y >= 0", [[1, [["1", {"q": -1}, ["q*y"]]], []]]),
    "a square to an even power": (
        "y >= 0 if x^2 y >= 0",
        [[1, [["1", {}, ["x^2*y"]]], []], [2, [], [["1", {"x": -1}]]]],
    ),
    "a root": ("y >= 0 if x^2 y >= 0", [[1, [["1", {}, ["x^2*y"], [["1", {"x": -1}]]]], []]]),
}


@pytest.mark.parametrize("name", DIVIDED)
def test_a_reason_divides_by_nothing_that_may_be_zero(name, tmp_path, monkeypatch):
    """At x = q = 0 and y = -1 the hypothesis holds, and the claim does not; by a > 0 it may be divided."""
    shows, factors = DIVIDED[name]
    page = tmp_path / "page.toml"
    for letter, proved in (("", False), ("a", True)):
        said, why = (
            text.replace("x", letter or "x").replace("q", letter or "q") for text in (shows, json.dumps(factors))
        )
        page.write_text(PAGE.replace('"real"', '">= 0" = "q"\n"real"', 1).replace("SHOWS", said), encoding="utf-8")
        monkeypatch.setattr(Proof, "sign", lambda self, question, context, why=why: {"factors": json.loads(why)})
        assert is_proved(page, {"claims": {"it": [{}]}}) == proved


def test_what_is_absurd_divides_by_nothing_that_may_be_zero(tmp_path, monkeypatch):
    """With p = y: -y > 0 times x^2 y/x^2 and y times -y would add up to 0."""
    page = tmp_path / "page.toml"
    products = [["1", {"x": -2}, ["x^2*y"], 1], ["1", {}, [], 2]]
    monkeypatch.setattr(Proof, "sign", lambda self, question, context: {"absurd": products})
    page.write_text(PAGE.replace("SHOWS", "y >= 0 if x^2 y >= 0"), encoding="utf-8")
    assert not is_proved(page, {"claims": {"it": [{}]}})
    products[0][1] = {"a": -2}
    products[0][2] = ["a^2*y"]
    page.write_text(PAGE.replace("SHOWS", "y >= 0 if a^2 y >= 0"), encoding="utf-8")
    assert is_proved(page, {"claims": {"it": [{}]}})


@pytest.mark.parametrize("number", ["1e9999999999", "1e-9999999999", "9" * 1001, 0.5, True, "1/0", " 1", "1_0", "nan"])
def test_what_takes_the_memory_of_the_machine_is_no_number(number, tmp_path):
    """A weight of a proof object is a fraction of whole numbers of a modest length."""
    page, data = objects_of(CLAIMS[0], tmp_path)
    products_of(data)[0][0] = number
    assert not is_proved(page, data)


def test_a_factor_is_not_multiplied_for_ever(tmp_path):
    page, data = objects_of(CLAIMS[0], tmp_path)
    (signs,) = (part["signs"] for part in data["claims"]["it"])
    for why in signs.values():
        why["factors"].append([10**12, [["1", {}, []]], []])
    assert not is_proved(page, data)
    for why in signs.values():
        why["factors"][-1][0] = 1
    assert is_proved(page, data)
