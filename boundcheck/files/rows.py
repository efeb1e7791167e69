"""JSON with a line an entry: a difference between two versions names the entry that changed."""

from __future__ import annotations

import json


def json_rows(data: object, depth: int = 1) -> str:
    """Return data as JSON, the entries of the outermost tables and lists on lines of their own.

    Parameters
    ----------
    data : object
        What `json` writes.
    depth : int
        How many levels are spread: 2 for lists in a table, an entry of each list a line.
    """
    if not depth or not data or not isinstance(data, (dict, list)):
        return json.dumps(data, ensure_ascii=False)
    if isinstance(data, dict):
        rows = [f"{json.dumps(str(key))}: {json_rows(value, depth - 1)}" for key, value in data.items()]
    else:
        rows = [json_rows(value, depth - 1) for value in data]
    start, end = "{}" if isinstance(data, dict) else "[]"
    return f"{start}\n" + ",\n".join(rows) + f"\n{end}"
