"""What is printed of a claim is made from what is decided: read back, it is the same number; and nothing else is."""

import itertools
import math
import random
import re
import tomllib
from dataclasses import replace

import pytest

from boundcheck.errors import InputError
from boundcheck.proofs import CLAIMS, prove_claim
from boundcheck.proofs.goals import goal_of
from boundcheck.proofs.language.printing import typeset_line
from boundcheck.proofs.language.stated import text_statement
from boundcheck.proofs.ledger.ledger import FILES

FUNCTIONS = {"exp", "log", "sin", "cos", "sqrt", "abs", "max", "min"}
RELATION = re.compile(r"\s(?:<=|<|>=|>|=)\s")
STATED = [claim for claim in CLAIMS.values() if hasattr(claim.goal, "shows")]


def test_by_hand():
    """Lines of the ledger as a person would print them."""
    for text, wanted in {
        "4*gl^2/beta <= 2*beta/9 if beta <= 1, 6*gl <= beta": "4 gl^2/beta <= 2 beta/9 if beta <= 1, 6 gl <= beta",
        "a/(1 - b)*<u, v> = -c/2*|w|^2": "(a/(1 - b)) <u, v> = -(c/2) |w|^2",
        "exp(1)*x <= exp(2)*7858/100": "e x <= e^2*7858/100",
        "x <= 7858/100": "x <= 78.58",
        "e*exp(1) <= exp(2)": "e exp(1) <= exp(2)",
        "x - (y - z) <= 2*(-3*x)": "x - (y - z) <= 2 (-3 x)",
        "never a < b, b < a": "never a < b, b < a",
        "a < b for x in [0, 1], y in [1, 2]": "a < b for x in [0, 1], y in [1, 2]",
        "0 <= L^2*|x|^2 - |g|^2 : 1/(2*L)": "0 <= L^2 |x|^2 - |g|^2 (times 1/(2 L))",
        "a <= b or c <= d": "a <= b or c <= d",
        "(a + b)^(c + 1) <= a^2^c": "(a + b)^(c + 1) <= a^(2^c)",
    }.items():
        assert typeset_line(text) == wanted


def test_letters_are_printed_under_a_declared_renaming():
    """In brackets where a product would be torn apart, and nowhere else."""
    names = {"ekl": "eta*K*L", "share": "1/(N*K)"}
    assert typeset_line("2*ekl <= ekl^2*share", names) == "2 eta K L <= (eta K L)^2 (1/(N K))"


def as_typed(text):
    """Return a printed side with its signs for products, powers and e written out again."""
    text = re.sub(r"(?<![\w.])(\d+)\.(\d+)", lambda m: f"({int(m[1] + m[2])}/{10 ** len(m[2])})", text)
    text = text if "exp" in text else re.sub(r"\be\b", "exp(1)", text)
    parts = re.findall(r"\w+|\S", text)
    made = [parts[0]]
    for before, after in itertools.pairwise(parts):
        factor = re.fullmatch(r"\w+|\)", before) and re.fullmatch(r"\w+|\(", after)
        made += ["*"] * bool(factor and not (before in FUNCTIONS and after == "(")) + [after]
    return "".join(made)


def evaluate(text, values):
    """Return the number that a side is at values of its letters, by Python's own arithmetic."""
    names = {name: getattr(math, name) for name in ("exp", "log", "sin", "cos", "sqrt", "pi")}
    # The text is a line of the ledger: letters, numbers and the functions above.
    return eval(text.replace("^", "**"), {"__builtins__": {}}, {**names, "abs": abs, "max": max, "min": min, **values})


def test_what_is_printed_is_what_is_decided():
    """Every line about numbers in the ledger: both sides, read back from print, have the value of what is decided."""
    draw, seen = random.Random(1), 0
    for claim in STATED:
        for line in claim.goal.shows:
            head, shown = (re.split(r" if | for ", text)[0] for text in (line, typeset_line(line)))
            if re.search(r"<[^=\s]|\||\bE\(|mean\(", head) or head.startswith(("never", "possible")):
                continue
            shown = re.sub(r"\be\b", "e_", shown) if re.search(r"\be\b", head) else shown
            head = re.sub(r"\be\b", "e_", head)
            letters = set(re.findall(r"[A-Za-z]\w*", head)) - FUNCTIONS - {"pi"}
            values = {name: draw.uniform(0.3, 0.9) for name in sorted(letters)}
            for decided, side in zip(RELATION.split(head), RELATION.split(shown), strict=True):
                one, other = evaluate(decided, values), evaluate(as_typed(side), values)
                assert one == pytest.approx(other, rel=1e-9), (claim.id, side)
                seen += 1
    assert seen > 1500


def test_a_changed_number_shows():
    """The control: a statement with another constant prints another line."""
    assert evaluate(as_typed("4 gl^2/beta + beta/9"), {"gl": 1, "beta": 2}) != evaluate(
        "4*gl^2/beta + beta/90", {"gl": 1, "beta": 2}
    )


def test_no_file_of_the_ledger_types_a_formula_beside_what_is_decided():
    """Nor is a letter renamed that the statement does not have."""
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        papers = tomllib.loads(text)["claim"].values()
        assert "formula" not in {key for paper in papers for claim in paper.values() for key in claim}
    for claim in STATED:
        words = set(re.findall(r"\w+", " ".join((*claim.goal.shows, *claim.goal.given))))
        assert set(claim.renaming) <= words, claim.id
        assert claim.printed


def test_words_are_never_printed_as_a_formula():
    """A false sentence in the words of a claim changes neither its printed line nor its verdict."""
    claim = CLAIMS["momentum-fl.theorem11-collect"]
    changed = replace(claim, prose="beta/9 <= beta/900; every client is a teapot")
    assert changed.printed == claim.printed
    assert not any("teapot" in line for line in changed.printed)
    assert prove_claim(changed).verdict == "proved"


@pytest.mark.parametrize("line", ["78 = 78", "x*y = x*y", "x <= (x)", "a <= b = b", "2*x = 2*x if x <= 1"])
def test_a_line_that_says_nothing_is_an_error(line):
    """Two equal sides decide nothing; the equation from which a constant comes does."""
    with pytest.raises(InputError, match=r"both sides are .*, so that nothing is said"):
        goal_of(text_statement(line, letters=("a, b, x, y > 0",)))
    assert goal_of(text_statement("7*(13/24)*(9/7)*16 = 78", letters=("x > 0",))).decide(5.0).verdict == "proved"
