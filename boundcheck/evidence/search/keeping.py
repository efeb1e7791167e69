"""An instance of a search as a page of a problem, which every command takes in the place of a shipped name."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

from boundcheck.errors import require
from boundcheck.files.atomic import write_whole
from boundcheck.problems.catalog import instance, parse_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boundcheck.evidence.search.instances import TrialInstance


def save_instance(at: TrialInstance, path: Path, bound: str) -> TrialInstance:
    """Write the problem of an instance as a page, and return the instance on it.

    Parameters
    ----------
    at : Instance
    path : Path
        Ends in ``.toml``.
    bound : str
        Name of the bound that it is about.

    Raises
    ------
    InputError
        If the file's name does not end in ``.toml``, or it cannot be written.
    """
    require(path.suffix == ".toml", "keep", str(path), "a file whose name ends in .toml")
    base, chosen = parse_name(at.problem)
    page = instance(base)
    write_page(path, page.family, {**page.parameters, **chosen}, bound)
    return dataclasses.replace(at, problem=str(path))


def write_page(path: Path, family: str, parameters: Mapping[str, Any], bound: str) -> None:
    """Write a page of a problem."""
    head = {"title": "Kept by a search", "family": family, "purpose": f"Looked for to violate {bound}."}
    lines = [_line(key, value) for key, value in head.items()]
    lines += ["", "[parameters]", *(_line(key, value) for key, value in parameters.items())]
    write_whole(path, "\n".join(lines) + "\n")


def _line(key: str, value: Any) -> str:
    # Strings, numbers and booleans are spelled alike in TOML and JSON.
    return f"{key} = {json.dumps(value)}"
