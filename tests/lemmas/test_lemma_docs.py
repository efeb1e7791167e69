"""The examples in the documentation run as they stand."""

import linecache
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize(
    ("page", "verdicts"),
    [
        ("lemmas.md", ["proved"] * 11 + ["refuted"] * 2 + ["supported"] * 3),
        ("check-your-own-lemma.md", ["proved"] * 9 + ["refuted"] * 6 + ["supported"]),
        ("add-a-claim.md", ["refuted", "proved"]),
    ],
)
def test_examples_run_and_print_the_verdicts_they_announce(page, verdicts, capsys, tmp_path, monkeypatch):
    """All code blocks of a page, run in one namespace beside its files, print the announced number of each verdict."""
    text = (DOCS / page).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    written = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    for name, content in zip(re.findall(r'read_claims\("(\S+)"\)', text), written, strict=False):
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {}
    for k, block in enumerate(blocks):
        name = f"<{page} {k}>"
        linecache.cache[name] = (len(block), None, block.splitlines(keepends=True), name)
        exec(compile(block, name, "exec"), namespace)
    printed = re.findall(r"\b(proved|refuted|undecided|supported)\b", capsys.readouterr().out)
    assert sorted(printed) == sorted(verdicts)
