import json
import math
import re

import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st
from report_cases import NASTY

from boundcheck.report.typst.markup import (
    code,
    escape,
    interval,
    number,
    power,
    prose,
    rational,
    setting,
    three_decimals,
)


def shown(markup):
    """Return the text of a heading that holds the markup."""
    body = json.loads(typst.query(f"= {markup}\n".encode(), "heading"))[0]["body"]
    return body.get("text", "")


def test_signs_of_typst_are_shown_as_they_are():
    """Text full of Typst's own signs is shown unchanged, white space apart."""
    assert shown(escape(NASTY)) == " ".join(NASTY.split())


@settings(max_examples=30, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Co", "Cn"]), min_size=1).filter(str.strip))
def test_any_text_is_shown_unchanged(text):
    """Escaped text of any characters is the text itself, with white space gathered."""
    assert shown(escape(text)) == " ".join(text.split())


def test_monospace_keeps_lines_and_control_characters_harmless():
    """A listing keeps its lines, and control characters do not end the literal."""
    (block,) = json.loads(typst.query(code('a = "1"\n\tb = \\2\x07', block=True).encode(), "raw"))
    assert block["text"].splitlines()[0] == 'a = "1"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("eps^-(7/3)", "ε^(−7/3)"),
        ("(N/T)^1.5", "(N/T)^(1.5)"),
        ("theta-bar_t - theta_(t-1,i)", "θ\u0304_(t) − θ_(t-1,i)"),
        ("theta_old_i", "θ_(old i)"),
        ("mean_i |grad f_i|^2", "mean_(i) |∇f_(i)|^(2)"),
        ("G_inf^2", "G_(∞)^(2)"),
        ("sum_(k<=K) k", "Σ_(k≤K) k"),
        ("sum |v| and the sum of it", "Σ |v| and the sum of it"),
        ("f -> -eta g, lambda", "f → −η g, λ"),
        ("floor(T/2) sqrt(T)/sqrt(2 T), c-hat, h-bar, epsilon", "⌊T/2⌋ √T/√(2 T), ĉ, h̄, ε"),
        ("(5/4)*2", "(5/4) 2"),
        ("from L = 1.2e4 on, 1e-3, 1e+15.", "from L = 1.2·10^(4) on, 10^(−3), 10^(15)."),
        ("id1e5 and 2e5x", "id1e5 and 2e5x"),
        ("drift sum (Lemma 10), l.63-74", "drift sum (Lemma 10), l.63-74"),
    ],
)
def test_formulas_in_sentences_are_typeset(text, expected):
    """Indices, powers, sums and letters of a proof; words and ranges of lines stay."""
    found = re.sub(r'#(sub|super)\("([^"]*)"\);', lambda m: f"{'_' if m[1] == 'sub' else '^'}({m[2]})", prose(text))
    assert re.sub(r'#"([^"]*)";', r"\1", found) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "--"),
        (0.0, "$0$"),
        (16, "$16$"),
        (-2.5, "$-2.50$"),
        (0.9996, "$1.00$"),
        (1.2e-3, "$0.00120$"),
        (1.2e-4, "$1.2 times 10^(-4)$"),
        (123.456, "$123$"),
        (1e-3, "$0.00100$"),
        (1e6, "$10^(6)$"),
        (123456.0, "$1.23 times 10^(5)$"),
        (math.inf, "$oo$"),
        (math.nan, "not a number"),
    ],
)
def test_numbers_have_three_digits(value, expected):
    """Numbers carry three significant digits, as powers of ten outside the readable range."""
    assert number(value) == expected


def test_small_forms():
    """Intervals, fractions, powers and settings are set as in print."""
    assert interval(0.5, None) == "--"
    assert interval(1.0, 2.0) == "$[1, 2]$"
    assert rational(2 / 3) == "2\\/3"
    assert rational(-0.5) == "-1\\/2"
    assert rational(0.123) == "0.123"
    assert power("T", -0.5) == "$T^(-1\\/2)$"
    assert power("T", 0) == "$1$"
    assert three_decimals(-0.0001) == "$0.000$"
    assert setting({"sigma": 2.0, "link": "ratio"}) == '$sigma = 2$, $"link" = "ratio"$'


def pieces(markup):
    """Return texts, and what is raised or lowered, in order."""
    found = re.findall(r'#(super|sub)?\(?("(?:[^"\\]|\\.)*")\)?;', markup)
    return [(kind, json.loads(text)) if kind else json.loads(text) for kind, text in found]


def test_prose_uses_the_letters_of_the_notation():
    """Plain-text formulas are shown with our letters and signs."""
    said = [piece for piece in pieces(prose("chat eta_t^2 <= c_dual + beta1^(1/2), grad_w of growth")) if piece != ";"]
    assert said == [
        "ĉ η",
        ("sub", "t"),
        ("super", "2"),
        " ≤ c",
        ("sub", "y"),
        " + β₁",
        ("super", "1/2"),
        ", grad_w of growth",
    ]
