"""Certificates as Lean text: what is stated, and the proof's parts."""

import re

import pytest
from turns import every

from boundcheck.errors import InputError
from boundcheck.proofs.certificates.lean import lean
from boundcheck.proofs.kernel.certificates import FUNCTIONS
from boundcheck.proofs.ledger.certify import shipped_certificates

YOUNG = {
    "id": "young",
    "letters": {"x": ">0", "a": "vector", "b": "family"},
    "shows": "2*<a, b> <= x*|a|^2 + |b|^2/x",
    "by": [["1", "x", ["a - b/x"]]],
}
PARTS = {
    "id": "either",
    "letters": {"x": "", "H1": ">=0"},
    "given": ["x <= 1 or x <= H1"],
    "shows": "x <= 2 + H1",
    "cases": 0,
    "each": [{"by": [["1", 1], ["1"], ["H1"]]}, {"by": [["1", 1], ["2"]]}],
}


def test_numbers():
    """A hypothesis, its difference, the product that is not negative, the expansion."""
    one = {"id": "one", "letters": {"x": ">0"}, "given": ["x <= 1"], "shows": "x^2 <= x", "by": [["1", 0, "x"]]}
    text = lean(one)
    assert "theorem one (x : ℝ) (sign_x : 0 < x) (H0 : x ≤ (1 : ℝ)) :\n    (x ^ 2) ≤ x := by" in text
    assert "have F0 : 0 ≤ ((1 : ℝ) - x) := by linarith" in text
    assert "have E : (x - (x ^ 2)) = ((1 : ℝ) * ((1 : ℝ) - x) * x) := by field_simp; ring" in text


def test_vectors():
    """A vector that the clients share is its own mean; a family need not be."""
    text = lean(YOUNG)
    assert "(common_a : mean a = a)" in text
    assert "common_b" not in text
    assert "(inner ℝ (a - (x⁻¹ • b)) (a - (x⁻¹ • b)))" in text
    assert "mean" not in lean(YOUNG | {"letters": YOUNG["letters"] | {"b": "vector"}})


def test_cases_and_names():
    """One part for each alternative; a letter that is named like a hypothesis gets another name."""
    text = lean(PARTS)
    assert "(x H1_ : ℝ)" in text
    assert "rcases H0 with H1 | H1" in text
    assert len(re.findall(r"^  · ", text, re.MULTILINE)) == 2


@pytest.mark.parametrize("first", every(3, range(3), first=1))
def test_nearly_all_shipped_certificates_have_a_text(first):
    """All but those that show that hypotheses exclude each other; brackets close, no word of Coq is left."""
    plain = {name: one for name, one in shipped_certificates().items() if one.get("kind") not in FUNCTIONS}
    named = [name for name, certificate in plain.items() if "shows" in certificate]
    assert len(named) >= len(plain) - 2
    texts = {name: lean(shipped_certificates()[name]) for name in named[first::3]}
    for name, text in texts.items():
        assert text.count("(") == text.count(")"), name
        assert not re.search(r"\(/|Rle|\blra\b|<=|>=|\^ -", text), name


def test_what_has_no_text_is_refused():
    """Sequences, other certificates, cases by sign."""
    with pytest.raises(InputError, match="no sequences"):
        lean({"id": "entry", "letters": {"x[]": "vector"}, "shows": "|x[1]|^2 >= 0", "by": [[["x[1]"]]]})
    with pytest.raises(InputError, match="a limit or derivative"):
        lean(next(one for one in shipped_certificates().values() if one.get("kind") == "tail"))
    with pytest.raises(InputError, match="uses another certificate"):
        lean(YOUNG | {"steps": [{"use": "other"}]})
    with pytest.raises(InputError, match="cases by sign"):
        lean(PARTS | {"cases": "x - 1"})
