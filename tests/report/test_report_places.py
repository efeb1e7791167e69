"""Places in a paper without lines of an extraction, and statements of the ledger as typeset mathematics."""

import re
from itertools import pairwise

import pytest

from boundcheck.bounds import BOUNDS
from boundcheck.bounds.assumptions import ASSUMPTIONS
from boundcheck.cli.cards.bound_cards import facts
from boundcheck.cli.cards.cards import cards
from boundcheck.cli.cards.catalogue import LISTINGS
from boundcheck.findings.places import SECTIONS, place_words, section, with_sections, without_lines
from boundcheck.proofs import CLAIMS
from boundcheck.report.typst.statements import letter_math, line_math, statement_math
from boundcheck.sweep.results.verdicts import shipped_verdicts

LINE = re.compile(r"\bl\.\d|^[\d, -]+$|\[\d{3}|\[\d+-|\bL\d+-")
"""A line of an extracted text."""


@pytest.mark.parametrize(
    ("paper", "where", "said"),
    [
        ("momentum-fl", "Theorem 3 = 19, l.255, l.881", "Theorem 3 = 19"),
        ("fmgda", "Theorem 1, eq. (13), l.607 and eq. (7), l.259", "Theorem 1, eq. (13), and eq. (7)"),
        ("fedglomo", "Lemmas 10 and 14, l.551-553 and l.728-730", "Lemmas 10 and 14"),
        ("fedglomo", "l.671 and l.1161", "Appendix F.1, Appendix F.2"),
        ("fedlalr", "248, 270", "Section V-B, Section V-D"),
        ("fedlalr", "270-272", "Section V-D"),
        ("gradma", "120-124, figure 22", "figure 22"),
        ("gradma", "T_4, l.349-351", "T_4, Appendix .3"),
        ("own", "Theorem 2, l.5", "Theorem 2"),
        ("fedglomo", "Theorem 1, L199-211: sqrt(M) at fixed K", "Theorem 1: sqrt(M) at fixed K"),
        ("momentum-fl", "Theorem 22, second rate [1025-1027, 1061-1065]", "Theorem 22, second rate"),
        ("momentum-fl", "Theorem 22 [1014-1018] with Lemmas 5 and 20 and [1041]", "Theorem 22 with Lemmas 5 and 20"),
        ("fedglomo", "Appendix C, l.431", "Appendix C"),
        (
            "gradma",
            "Lemma .6, with the sum in l.196 and 1 + beta1 in (27)",
            "Lemma .6, with the sum and 1 + beta1 in (27)",
        ),
    ],
)
def test_a_line_of_the_text_becomes_its_section_or_is_left_out(paper, where, said):
    """A number is enough; a line alone says where it is."""
    assert place_words(paper, where) == said


def test_nothing_of_the_package_is_placed_by_a_line():
    """Claims, bounds and assertions: no place is empty, none has a line left."""
    places = [place_words(one.paper, one.where) for one in (*CLAIMS.values(), *BOUNDS.values())]
    places += [place_words(row["paper"], row["lines"]) for row in shipped_verdicts().values()]
    assert [place for place in places if not place or LINE.search(place)] == []


def test_sections_are_in_the_order_of_the_text():
    """The first line belongs to its section, the one before to the section before."""
    for paper, known in SECTIONS.items():
        lines = [line for line, _ in known]
        assert lines == sorted(set(lines))
        for (_, before), (line, name) in pairwise(known):
            assert section(paper, line) == name
            assert section(paper, line - 1) == before
    assert section("own", 5) == ""


def test_a_condition_has_no_lines():
    """Brackets go with what stood in them; other words stay."""
    assert without_lines("local step (l.183)") == "local step"
    assert without_lines("server step (Lemma 8)") == "server step (Lemma 8)"
    assert without_lines("drift ([900], first line)") == "drift (first line)"
    assert without_lines("condition 'step (l.183)': no unit") == "condition 'step': no unit"
    assert without_lines("the L2 norm, [12], f'(x)") == "the L2 norm, [12], f'(x)"


@pytest.mark.parametrize(("kind", "count"), [("bounds", 70), ("rates", 40), ("tables", 4), ("assumptions", 25)])
def test_lists_say_where_in_words_of_the_paper(kind, count):
    """Went wrong: `list` and `show` named lines of a text that no reader has, the report did not."""
    places = [entry["where"] for entry in LISTINGS[kind].entries()]
    assert len(places) >= count
    assert [place for place in places if LINE.search(place)] == []


def test_cards_say_where_in_words_of_the_paper():
    """The place of a bound, the labels of its conditions, and the place of an assumption."""
    card = facts("fedglomo.theorem2", 4)
    assert card["where"] == "Theorem 2, 64 sqrt(B) L from (104)-(105)"
    assert "long enough" in [label for _, label in card["conditions"]]
    assert any(
        line.startswith("condition 'block smoothness at least 1'") for line in facts("fmgda.theorem1", 4)["units"]
    )
    (assumption,) = cards(next(name for name, one in ASSUMPTIONS.items() if one.where == "l.147"), 4)
    assert assumption["where"].startswith("Section IV")


def test_a_sentence_names_the_section():
    """A line of a text that nobody knows stays."""
    assert with_sections("fedlalr", "the leading term (l.194)") == "the leading term (Section IV-B)"
    assert with_sections("own", "the leading term (l.194)") == "the leading term (l.194)"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("4*beta/9 <= sqrt(L*Delta)", "$frac(4 beta, 9)$ $<= sqrt(L Delta)$"),
        ("|u + v|^2 = 2*<u, v>", "$norm(u + v)^2$ $= 2 lr(chevron.l u, v chevron.r)$"),
        ("a - (b - c) <= x^(2/3) if b >= 1", "$a$ $- (b - c)$ $<= x^(2\\/3)$ if $b$ $>= 1$"),
        ("(a/b)^2 = 2*3*a", "$(frac(a, b))^(2)$ $= 2 dot 3 a$"),
        ("(5/4*2*L^2)/(1 + L/mu) <= a*(b/c)/2", "$frac(5\\/4 dot 2 L^(2), 1 + L\\/mu)$ $<= frac(a (b\\/c), 2)$"),
        ("exp(1)*x <= exp(x)", "$upright(e) x$ $<= upright(e)^(x)$"),
    ],
)
def test_a_line_is_set_as_mathematics(line, said):
    """Fractions, a slash for one within another, roots, inner products, brackets where they are needed."""
    assert line_math(line) == said


def test_letters_have_their_index_below():
    """Those of the notation as it sets them, Greek ones as such, names upright."""
    assert letter_math("theta_new") == 'theta_("new")'
    assert letter_math("x1") == "x_1"
    assert letter_math("thetabar") == "overline(theta)"
    assert letter_math("bracket") == 'upright("bracket")'


def test_every_statement_can_be_set():
    """All lines of the ledger become formulas that the compiler accepts, none falls back to letters."""
    typst = pytest.importorskip("typst")
    lines = [statement_math(claim) for claim in CLAIMS.values() if claim.printed]
    assert len(lines) > 500
    assert all(line.count("$") >= 2 and line.count("$") % 2 == 0 for line in lines)
    source = "\n\n".join(lines).encode()
    assert typst.Compiler(source).compile(format="pdf").startswith(b"%PDF")
