"""Write a page for every notebook beside it: ``python docs/notebooks/pages.py``."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent


def page(path: Path) -> str:
    """Return a notebook as Markdown, code in fences, with a link to the notebook."""
    parts = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        parts.append(f"```python\n{text}\n```" if cell["cell_type"] == "code" else text)
    return "\n\n".join([*parts, f"This page is a notebook: [{path.name}]({path.name})."]) + "\n"


if __name__ == "__main__":
    for path in sorted(HERE.glob("*.ipynb")):
        path.with_suffix(".md").write_text(page(path), encoding="utf-8")
