"""The page on conformance: its table is that of the list, and its worked example says what it prints."""

import re
from pathlib import Path

from boundcheck.conform import IDENTITIES

TEXT = (Path(__file__).parents[2] / "docs" / "conform.md").read_text()


def test_table_of_identities_is_that_of_the_list():
    """docs/conform.md has a row for every identity, in order, with its methods and its statement."""
    table = TEXT.partition("<!-- identities -->")[2].partition("<!-- end -->")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")]
    rows = [[c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[2:]]
    assert rows == [[i.id, ", ".join(i.methods), i.statement] for i in IDENTITIES.values()]


def test_the_worked_examples_print_what_they_say(capsys):
    """The adapters of the page have at most 20 lines, and the page shows what they are told."""
    namespace, printed = {}, []
    for block in re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL):
        exec(block, namespace)
        printed += [out] if (out := capsys.readouterr().out) else []
        adapter = re.search(r"^def my_.*?(?=^\S|\Z)(?:.*?(?=^def|^told|\Z))?", block, flags=re.DOTALL | re.MULTILINE)
        assert adapter is None or len(adapter[0].strip().splitlines()) <= 20
    assert printed == re.findall(r"```\n((?:agrees|differs)\n.*?)```", TEXT, flags=re.DOTALL)


def test_the_adapters_of_the_maintainers_page_have_ten_lines():
    """The function of each of four libraries; their own clients and imports aside."""
    page = (Path(__file__).parents[2] / "docs" / "maintainers.md").read_text(encoding="utf-8")
    codes = re.findall(r"^```text\n(.*?)^```", page, flags=re.MULTILINE | re.DOTALL)
    adapters = [code.rpartition("\ndef ")[2].strip().splitlines() for code in codes if "clients, x0" in code]
    assert {lines[0].partition("(")[0] for lines in adapters} == {"flower", "fedlab", "fluke", "pfllib"}
    assert max(len(lines) for lines in adapters) <= 10
