"""JSON with a line an entry."""

import json

import pytest

from boundcheck.files.rows import json_rows

DATA = {"a": [1, {"b": [2, 3]}], "c": {}, "d": "µ\n", 5: None}


@pytest.mark.parametrize(("depth", "lines"), [(0, 1), (1, 6), (2, 9), (3, 11)])
def test_each_level_that_is_spread_has_a_line_an_entry(depth, lines):
    """By hand: two brackets and four entries; then the list's two and its end; then the table's one and its end."""
    text = json_rows(DATA, depth)
    assert json.loads(text) == json.loads(json.dumps(DATA))
    assert len(text.splitlines()) == lines


def test_a_changed_entry_is_one_changed_line():
    rows = [{"id": name, "value": list(range(9))} for name in "abc"]
    before = json_rows(rows).splitlines()
    rows[1]["value"][4] = 0
    assert sum(a != b for a, b in zip(before, json_rows(rows).splitlines(), strict=True)) == 1
