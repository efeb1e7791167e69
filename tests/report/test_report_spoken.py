"""Formulas have texts that can be read aloud, and the PDF says that it can be."""

import json

import pytest
import typst
from report_cases import NASTY

from boundcheck.report.document import compile_typst, preamble
from boundcheck.report.typst.markup import prose
from boundcheck.report.typst.spoken import with_alternatives

UA = b"pdfuaid:part"
"""What a PDF that conforms to PDF/UA says of itself."""


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("frac(2 G_infinity Delta, K T eta) <= sqrt(x + 1)", "(2 G_∞ Δ)/(K T η) ≤ √(x + 1)"),
        ("sum_(t=0)^(T-1) EE norm(nabla f(macron(x)_(t,k)))^2", "∑_(t=0)^(T−1) 𝔼 ‖∇ f(x\u0304_(t,k))‖^2"),
        ("root(3, x) min(a, b)", "3-th root of (x) min(a, b)"),
        ('cases(0 & "if " K < 2, 1 & "otherwise")', "0 if  K < 2; 1 otherwise"),
        ('L_"sample" hat(c) 10^(-4)', "L_(sample) c\u0302 10^(−4)"),
    ],
)
def test_formulas_are_said_in_one_line(tmp_path, formula, expected):
    """Fractions, roots, sums with limits, cases, accents and indices."""
    path = tmp_path / "one.typ"
    path.write_text(with_alternatives(preamble("one") + f"${formula}$\n"), encoding="utf-8")
    (said,) = json.loads(typst.query(str(path), "math.equation", field="alt"))
    assert " ".join(said.split()) == " ".join(expected.split())


def test_dollar_signs_in_strings_begin_no_formula():
    """What a user wrote, and strings within formulas, stay as they are."""
    assert with_alternatives(prose(NASTY)) == prose(NASTY)
    assert with_alternatives('#"5 $";a$x "if $5" y$b') == '#"5 $";a#told($x "if $5" y$);b'
    assert with_alternatives(preamble("no formulas here")) == preamble("no formulas here")


@pytest.mark.parametrize(("body", "conforms"), [("$x^2$ and words", True), (prose("no font has it: 梯"), False)])
def test_a_report_conforms_unless_a_sign_has_no_picture(tmp_path, body, conforms):
    """PDF/UA-1 where every sign is drawn; else a tagged PDF all the same."""
    path = tmp_path / "one.typ"
    path.write_text(preamble("one") + f"= Title\n{body}\n", encoding="utf-8")
    pdf = compile_typst(path)
    assert (UA in pdf) == conforms
    assert b"/StructTreeRoot" in pdf
