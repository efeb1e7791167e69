"""Run the notebooks, and write a page for each: ``python docs/notebooks/pages.py [--run]``.

Without ``--run`` only the pages are written, from what the notebooks hold: text and code, what was printed, pictures.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def page(path: Path) -> str:
    """Return a notebook as Markdown: code and what it printed in fences, pictures by their names, and a link."""
    parts = []
    pictures = iter(picture_names(path))
    for cell in cells_of(path):
        text = "".join(cell["source"])
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
        for output in cell.get("outputs", ()):
            if "image/png" in output.get("data", {}):
                name = next(pictures)
                parts.append(f"![{name.removesuffix('.png')}]({name})")
            elif words := printed(output):
                parts.append(f"```text\n{words.rstrip()}\n```")
    return "\n\n".join([*parts, f"This page is a notebook: [{path.name}]({path.name})."]) + "\n"


def pictures(path: Path) -> dict[str, bytes]:
    """Return the pictures of a notebook by the names that its page gives them."""
    found = [
        base64.b64decode(output["data"]["image/png"])
        for cell in cells_of(path)
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    return dict(zip(picture_names(path), found, strict=False))


def picture_names(path: Path) -> list[str]:
    """Return names for as many pictures as a notebook can have cells."""
    return [f"{path.stem}-{i}.png" for i in range(1, 1 + len(cells_of(path)))]


def printed(output: dict[str, Any]) -> str:
    """Return what a cell printed, or the text of its value."""
    return "".join(output.get("text", output.get("data", {}).get("text/plain", "")))


def cells_of(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook."""
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def run(path: Path) -> str:
    """Return a notebook with the outputs of all its cells, run in order in a process of its own."""
    import nbformat
    from nbclient import NotebookClient

    book = nbformat.read(path, as_version=4)
    NotebookClient(book, timeout=300, resources={"metadata": {"path": str(HERE)}}).execute()
    for cell in book.cells:
        # Times of this machine, and addresses in its memory, are no part of what is shown.
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
        for output in cell.get("outputs", ()):
            for key in ("text/html", "text/plain"):
                if key in output.get("data", {}):
                    output["data"][key] = _ADDRESS.sub("", output["data"][key])
            output.get("data", {}).pop("image/svg+xml", None)
    book.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return json.dumps(book, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def joined(outputs: list[Any]) -> list[Any]:
    """Return outputs in which what was printed piece by piece is one text."""
    found: list[Any] = []
    for output in outputs:
        if found and output.output_type == found[-1].output_type == "stream" and output.name == found[-1].name:
            found[-1].text += output.text
        else:
            found.append(output)
    return found


if __name__ == "__main__":
    for path in sorted(HERE.glob("*.ipynb")):
        if "--run" in sys.argv:
            path.write_text(run(path), encoding="utf-8")
        path.with_suffix(".md").write_text(page(path), encoding="utf-8")
        for name, content in pictures(path).items():
            (HERE / name).write_bytes(content)
