"""Formulas typed as text, as TeX: what was meant stays, and what is no formula is left alone."""

import importlib.util
import runpy
from pathlib import Path

import pytest

from boundcheck.proofs import CLAIMS
from boundcheck.report.typst.typed import pieces

HOOKS = Path(__file__).parents[2] / "docs" / "hooks.py"


@pytest.mark.parametrize(
    ("typed", "tex"),
    [
        ("2 Delta/(eta K T)", [r"\frac{2 \Delta}{\eta K T}"]),
        # As programs read it: what stands before the slash is divided, a fraction of numbers stays in front.
        ("4/3 eta x/y z", [r"\frac{4}{3}\, \frac{\eta x}{y} z"]),
        ("a**(2/3) - b_star", [r"{a}^{\frac{2}{3}}", r"{} - b_{\star}"]),
        ("|a + b|^2 <= |a|^2", ["{| a {} + b |}^{2}", r"{} \le {| a |}^{2}"]),
        ("<u, v>^2 < 1", [r"{\langle u,\, v \rangle}^{2}", "{} < 1"]),
        ("-eta <g, <-u, v> w> < b", [r"- \eta\, \langle g,\, \langle - u,\, v \rangle w \rangle", "{} < b"]),
        ("sqrt(beta2/N)", [r"\sqrt{\frac{\beta_{2}}{N}}"]),
        ("K_(T-1) G_inf", [r"K_{T {} - 1}\, G_{\infty}"]),
        (
            "every S of the N clients, gamma = 1",
            [r"\text{every}", "S", r"\text{of}", r"\text{the}", "N", r"\text{clients},", r"\gamma", "{} = 1"],
        ),
        ("E|grad f(x_t)|^2", [r"E {| \nabla f\, ( x_{t} ) |}^{2}"]),
    ],
)
def test_a_formula_is_read_as_it_is_meant(typed, tex):
    """Powers bind before products, products before sums; a line may break before an outer sign."""
    assert pieces(typed) == tex


@pytest.mark.parametrize(
    "text",
    [
        "y <- y - a",
        "a <= (b",
        "a b)",
        "|a",
        "--set eta=0.1",
        "FOLDER_OF_PAPERS=x make test",
        "docs/x.py",
        "<a, b",
        "2 +",
        "",
    ],
)
def test_what_is_no_formula_is_left_alone(text):
    """Code, and a bracket that does not close."""
    assert pieces(text) is None


def test_printed_lines_of_the_ledger_are_formulas():
    """All that the claims with a repair say as text is typeset."""
    lines = [line for claim in CLAIMS.values() if claim.repaired_by for line in claim.printed]
    assert len(lines) > 100
    assert [line for line in lines if pieces(line) is None] == []


@pytest.mark.skipif(importlib.util.find_spec("latex2mathml") is None, reason="needs the extra docs")
def test_a_page_of_the_site_has_no_formula_as_code():
    """Formulas in code become MathML and those in sentences are printed; names, commands and links stay."""

    class Page:
        class file:
            src_uri = "findings.md"

    content = (
        "<p>eps^3 in <code>a^2 &lt;= b</code>, <code>boundcheck show NAME</code>, "
        '<a href="x_1">eps^3</a> and fedlalr.eps-24 study momentum-fl-eta</p>'
    )
    made = runpy.run_path(str(HOOKS))["on_page_content"](content, Page)
    assert made.startswith("<p>ε<sup>3</sup> in <span")
    assert '<span class="typed" title="a^2 &lt;= b"><math' in made
    assert "<code>boundcheck show NAME</code>" in made
    assert '<a href="x_1">eps^3</a> and fedlalr.eps-24 study momentum-fl-eta</p>' in made
