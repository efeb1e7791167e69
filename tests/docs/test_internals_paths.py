"""The page on the inside of the package names files and folders that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_files_that_are_named_exist():
    text = (ROOT / "docs" / "internals.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+/[a-z_/]*(?:\.py)?)`", text))
    assert len(named) > 20
    missing = [name for name in named if not any((folder / name).exists() for folder in (ROOT, ROOT / "boundcheck"))]
    assert not missing
