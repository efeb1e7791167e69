"""Whether a page that proves a registered bound, by its name, says what is registered: by its text alone.

The statements of registered bounds are shipped as the text that their shipped proofs end in, so that `verify` needs
nothing but the standard library.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

PAPERS = Path(__file__).parents[1] / "papers"
LIBRARY = PAPERS / "whole"
"""The claim files of shipped proofs, and the textbook facts that pages use."""
REGISTERED = PAPERS / "registered.json"
"""What each registered bound says, with the claim file that proves it; `boundcheck.proofs.search` writes it."""


def differences(page: Path) -> list[str]:
    """Return where a page that proves a registered bound, by its name, says another thing than its shipped proof.

    Declarations, equations and leaves are compared, and what the bound says; claims between are free.
    """
    data = tomllib.loads(page.read_text(encoding="utf-8"))
    claims = dict(tables_of(data.pop("claim", {})))
    registered = json.loads(REGISTERED.read_text(encoding="utf-8"))
    found: list[str] = []
    for name in (name for name in claims if name in registered):
        file, shows = registered[name]["file"], registered[name]["shows"]
        source = tomllib.loads((LIBRARY / file).read_text(encoding="utf-8"))
        if " ".join(claims[name]["shows"].split()) != shows:
            found.append(f"{name} is not what is registered: {shows}")
        tables = [key for key in (*source, *data) if key not in ("claim", "theorem")]
        others = [key for key in dict.fromkeys(tables) if data.get(key) != source.get(key)]
        found += [f"{name} does not stand on what its shipped proof stands on: {key}" for key in others]
    return found


def tables_of(table: dict[str, Any], before: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each table ``[claim.a.b]`` with its id a.b."""
    for key, value in table.items():
        if isinstance(value, dict):
            if "shows" in value:
                yield before + key, value
            yield from tables_of(value, f"{before}{key}.")
