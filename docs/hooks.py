"""What mkdocs does with a page before it reads it: links that leave docs/ become names."""

from __future__ import annotations

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^\]]*)\]\((?:\.\./)+([^)#\s]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Return the Markdown in which a link to a file outside docs/ is the file's name.

    A page of a subfolder that links within docs/ is left alone.
    """
    depth = page.file.src_uri.count("/")

    def replaced(match: re.Match[str]) -> str:
        above = match[0].count("../")
        return match[0] if above <= depth else f"{match[1]} (`{match[2]}`)"

    return OUTSIDE.sub(replaced, markdown)
