"""Cards as plain data: with formulas typeset, so that a card that was made before is printed without sympy."""

from __future__ import annotations

from typing import Any

from boundcheck.cli.terminal.laying import is_formula


def as_data(value: Any) -> Any:
    """Return a card, or part of one, as JSON data, its formulas as drawings."""
    if hasattr(value, "free_symbols"):
        from boundcheck.cli.terminal.formulas import drawing

        return drawing(value)
    if isinstance(value, dict):
        return {str(key): as_data(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_data(inner) for inner in value]
    from boundcheck.cli.terminal.output import plain

    return plain(value)


def as_written(data: Any) -> Any:
    """Return data of a card with every formula as Python writes it: what --json prints."""
    if is_formula(data):
        return data["="]
    if isinstance(data, dict):
        return {key: as_written(inner) for key, inner in data.items()}
    return [as_written(inner) for inner in data] if isinstance(data, list) else data
