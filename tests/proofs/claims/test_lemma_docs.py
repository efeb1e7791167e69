"""The examples in the documentation run as they stand."""

import json
import linecache
import re
from pathlib import Path

import pytest

from boundcheck.cli.commands.prove import prove
from boundcheck.proofs.goals.reader import FUNCTIONS
from boundcheck.proofs.language.grammar import BINDERS
from boundcheck.proofs.language.source import KEYS

DOCS = Path(__file__).parents[3] / "docs"


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


@pytest.mark.parametrize(
    ("page", "verdicts"),
    [
        ("add-a-claim.md", ["refuted", "proved"]),
        ("check-your-own-lemma.md", ["proved"]),
        ("claim-files.md", ["proved", "proved"]),
    ],
)
def test_the_claim_file_of_a_page_is_taken_by_the_command(page, verdicts, capsys, tmp_path):
    """Word for word, and with nothing else said."""
    (text,) = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text(), flags=re.DOTALL)
    path = tmp_path / "draft.toml"
    path.write_text(text)
    assert prove(str(path), json=True) == 0
    printed = capsys.readouterr()
    assert [one["verdict"] for one in json.loads(printed.out)["results"]] == verdicts
    assert printed.err == ""


def test_the_page_of_claim_files_names_every_key_and_function():
    """Those that the readers know, and the table says of each key in which kind of claim it is legal."""
    text = (DOCS / "claim-files.md").read_text()
    assert all(f"`{key}`" in text or f"[{key}]" in text or f"[{key}.ID]" in text for key in {*KEYS[""], *KEYS["short"]})
    assert all(f"`{key}`" in text for key in {*KEYS["claim"], *KEYS["alone"]})
    expressions = text.partition("## Expressions")[2].partition("## Statements")[0]
    assert all(
        re.search(rf"\b{name}\b", expressions) for name in (*FUNCTIONS, *BINDERS, "min", "E", "sampled", "taken")
    )
