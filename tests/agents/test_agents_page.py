"""The page on programs: its code prints what it says, its answer has the shape that is shipped, its table all tools."""

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from boundcheck.agents import descriptions
from boundcheck.agents.tools import TOOLS

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text(encoding="utf-8")


def test_the_code_prints_what_it_says(capsys):
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    exec(block, {})
    printed = capsys.readouterr().out.splitlines()
    assert printed == re.findall(r"^print\(.*\)  # (.*)$", block, flags=re.MULTILINE)


@pytest.mark.slow
@pytest.mark.skipif(find_spec("mcp") is None, reason="the extra mcp is not installed")
def test_the_client_of_the_page_gets_its_answer(capfd):
    """By the SDK, from a server of its own."""
    (block,) = re.findall(r"```py\n(.*?)```", PAGE, flags=re.DOTALL)
    started = 'command="boundcheck", args=["mcp"]'
    assert started in block
    exec(block.replace(started, f'command={sys.executable!r}, args=["-P", "-m", "boundcheck", "mcp"]'), {})
    assert capfd.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.*)$", block, flags=re.MULTILINE)


def test_the_answer_of_the_page_has_the_shipped_shape():
    """By the JSON Schema that the tool `schema` returns; a key that is missing or a word that is none is seen."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    from boundcheck.api.answer import schema

    shown = json.loads(re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL)[1])
    jsonschema.validate(shown, schema())
    for broken in (
        {key: value for key, value in shown.items() if key != "schema"},
        shown | {"error": {"code": 2, "message": "both"}},
        shown | {"results": [shown["results"][0] | {"verdict": "true"}]},
        shown | {"limits": {"seconds": 60}},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema())


def test_every_tool_is_in_the_table_and_described():
    assert re.findall(r"^\| `(\w+)` \|", PAGE, flags=re.MULTILINE) == list(TOOLS)
    assert set(descriptions()) == {"server", *TOOLS}
