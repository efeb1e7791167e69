"""What words mean is written once: the tables of the pages are those of the package."""

import re
from pathlib import Path
from typing import get_args

import pytest

from boundcheck.cli.terminal.output import COLOURS, mark
from boundcheck.report.typst.templates import template
from boundcheck.sweep.recipes.experiment import READS
from boundcheck.verdicts import words as verdicts
from boundcheck.verdicts.codes import CODES, REFUSED, code_of
from boundcheck.verdicts.words import EXPERIMENT_WORDS, FAMILIES, RATE_WORDS, SIGNS, SILENCE, meanings

DOCS = Path(__file__).parents[2] / "docs"


def rows(page):
    """Return the rows of two columns of a page."""
    return re.findall(
        r"^\| `?([^|`]+?)`? \| ([^|]+?) \|$", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE
    )


@pytest.mark.parametrize(
    ("page", "words"),
    [("sweep.md", meanings(EXPERIMENT_WORDS)), ("sweep.md", READS), ("evidence.md", meanings(RATE_WORDS))],
)
def test_pages_have_the_words_with_their_meanings(page, words):
    """In the package's order, each with its whole meaning."""
    found = [(word, meaning) for word, meaning in rows(page) if word in words and meaning == words[word]]
    assert found == list(words.items())


@pytest.mark.parametrize("kind", ["", "html"])
def test_every_word_has_one_sign(kind):
    """Whichever question it answers, on the terminal and on a page; colour never stands alone."""
    text = template(kind)
    for word, entry in ((word, entry) for family in FAMILIES for word, entry in family.items()):
        assert (entry.sign, entry.tone) == SIGNS[word]
        assert len(entry.sign) == 1
        assert entry.meaning
        assert f'"{word}": ("{entry.sign}", "{entry.tone}"),' in text
        assert mark(word) == f"[{COLOURS[entry.tone]}]{entry.sign} {word}[/]"


def test_the_types_of_the_words_are_their_tables():
    """A word that a type allows has a meaning, and the other way round."""
    types = {
        name: getattr(verdicts, name) for name in vars(verdicts) if name.endswith("Word") and name != "VerdictWord"
    }
    tables = {name.removesuffix("Word").upper() + "_WORDS": get_args(one) for name, one in types.items()}
    tables["STATUS_WORDS"] = get_args(verdicts.Status)
    provers = tables.pop("PROVER_WORDS")
    assert set(provers) < set(tables["CLAIM_WORDS"])
    for name, words in tables.items():
        assert set(words) == set(getattr(verdicts, name)), name


def test_a_word_to_fail_on_is_code_1():
    """No other word is, and none where nobody asks."""
    assert code_of(["holds", "violated"], ["violated"]) == REFUSED == 1
    assert code_of(["holds"], ["violated"]) == code_of(["violated"], None) == 0
    assert list(CODES) == list(range(6))


def test_silence_is_of_two_kinds():
    """One is about the theorem, the other about the problem."""
    assert list(SILENCE) == ["vacuous below T", "too weak for this problem"]
