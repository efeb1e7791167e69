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


def test_the_worked_example_prints_what_it_says(capsys):
    """The SCAFFOLD of the page has the wrong sign and is told so."""
    namespace = {}
    for block in re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL):
        exec(block, namespace)
    expected = re.search(r"```\n(False\n.*?)```", TEXT, flags=re.DOTALL)[1]
    assert capsys.readouterr().out == expected
