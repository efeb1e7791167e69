"""The examples in the documentation run as they stand."""

import linecache
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("page", "verdicts"),
    [
        ("lemmas.md", ["proved"] * 9 + ["refuted"] * 2 + ["supported"] * 3),
        ("check-your-own-lemma.md", ["proved"] * 8 + ["refuted"] * 6 + ["supported"]),
        ("add-a-claim.md", ["refuted", "proved"]),
    ],
)
def test_examples_run_and_print_the_verdicts_they_announce(page, verdicts, capsys):
    """All code blocks of a page, run in one namespace, print the announced number of each verdict."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), flags=re.DOTALL)
    namespace: dict[str, object] = {}
    for k, block in enumerate(blocks):
        name = f"<{page} {k}>"
        linecache.cache[name] = (len(block), None, block.splitlines(keepends=True), name)
        exec(compile(block, name, "exec"), namespace)
    printed = re.findall(r"\b(proved|refuted|undecided|supported)\b", capsys.readouterr().out)
    assert sorted(printed) == sorted(verdicts)
