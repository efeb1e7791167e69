"""The examples of docs/evidence.md run and print what they announce."""

import re
from pathlib import Path

import pytest

from boundcheck.verdicts.words import BOUND_WORDS, MEANS, meanings

PAGE = Path(__file__).parents[2] / "docs" / "evidence.md"


def test_the_page_has_every_word_with_its_meaning():
    """The tables of words and of means are those of the code."""
    verdicts, _, _ = PAGE.read_text().partition("\n## Exponents")
    rows = dict(re.findall(r"^\| ([a-z ]+) \| (.+?) \|$", verdicts, flags=re.MULTILINE))
    assert {word: rows.get(word) for word in BOUND_WORDS} == meanings(BOUND_WORDS)
    assert {how: rows.get(how) for how in MEANS if how} == {how: text for how, text in MEANS.items() if how}


def test_page_on_evidence_runs():
    """Its check holds, its grid holds, the order has a limit and a named proof, and the exponent is covered."""
    namespace = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), flags=re.DOTALL):
        exec(block, namespace)
    assert namespace["verdict"].verdict == "holds"
    assert namespace["grid"].verdict == "holds"
    assert namespace["measured"].verdict == "holds"
    assert "measured along the run: alpha_div = 3.18" in namespace["measured"].reason
    assert namespace["given"].verdict == "not applicable"
    assert 0.05 < namespace["verdict"].ratio < 0.15
    assert namespace["verdict"].margin > 100
    assert namespace["verdicts"][0].verdict == "order only"
    assert namespace["shape"].ratios == pytest.approx((111.5, 1115, 11150), rel=1e-3)
    assert namespace["fit"].contains
