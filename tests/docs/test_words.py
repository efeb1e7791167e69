"""What words mean is written once: the tables of the pages are those of the package."""

import re
from pathlib import Path

import pytest

from boundcheck.cli.terminal.output import MARKS
from boundcheck.evidence.statistics.words import OUTCOMES, RATES, SILENCE
from boundcheck.report import templates
from boundcheck.sweep.recipes.experiment import READS

DOCS = Path(__file__).parents[2] / "docs"


def rows(page):
    """Return the rows of two columns of a page."""
    return re.findall(
        r"^\| `?([^|`]+?)`? \| ([^|]+?) \|$", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE
    )


@pytest.mark.parametrize(("page", "words"), [("sweep.md", OUTCOMES), ("sweep.md", READS), ("evidence.md", RATES)])
def test_pages_have_the_words_with_their_meanings(page, words):
    """In the package's order, each with its whole meaning."""
    found = [(word, meaning) for word, meaning in rows(page) if word in words and meaning == words[word]]
    assert found == list(words.items())


def test_every_word_has_a_mark():
    """On the terminal and on a page; colour never stands alone."""
    marks = (Path(templates.__file__).parent / "marks.typ").read_text(encoding="utf-8")
    assert set(OUTCOMES) <= set(MARKS)
    for word in (*OUTCOMES, *RATES):
        assert f'"{word}": (' in marks


def test_silence_is_of_two_kinds():
    """One is about the theorem, the other about the problem."""
    assert list(SILENCE) == ["vacuous below T", "too weak for this problem"]
