"""For programs that read proofs: the tools of `boundcheck mcp` (extra `mcp`), and instructions for their use.

Read `tools` first: a tool is a function from arguments to an answer, in plain data.  `worker` runs one tool after the
other in a process of its own, without code of the user's unless that was allowed; `bounded` starts that process and
ends it when a request has used up its time; `server` speaks the Model Context Protocol on standard input and output.
``instructions.md`` ships with the package: from a paper's lemma to a claim, and the ten commonest errors.
``descriptions.toml`` is what a client is told of the tools.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def instructions() -> str:
    """Return how to go from a paper's lemma to a claim that is decided, as Markdown."""
    return (files("boundcheck.agents") / "instructions.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return one section of the instructions, without its heading."""
    return instructions().partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


@cache
def descriptions() -> dict[str, Any]:
    """Return what a client is told of the server and its tools."""
    return tomllib.loads((files("boundcheck.agents") / "descriptions.toml").read_text(encoding="utf-8"))
