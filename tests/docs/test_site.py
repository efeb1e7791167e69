"""The site: every page has a place in it, notebooks run, and it builds with all links checked."""

import ast
import importlib.util
import inspect
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

import boundcheck

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))
PAGES = ("change.md", "check.md", "lecture.md", "steps.md")
"""What the notebooks are as pages, from which they are made."""
UNLISTED = {"methods"}
"""Folders whose pages an index of their own lists."""


def test_every_page_has_a_place():
    """The navigation names every page once, and nothing that is not there."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    listed = re.findall(r": ([\w/-]+\.md)$", text, flags=re.MULTILINE)
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert len(listed) == len(set(listed))
    assert set(listed) == {page for page in pages if page.partition("/")[0] not in UNLISTED}


@pytest.fixture(scope="module")
def making():
    """Return what docs/notebooks/pages.py defines."""
    return runpy.run_path(str(DOCS / "notebooks" / "pages.py"))


def test_notebooks_have_their_outputs_and_pages(making):
    """Four; every cell was run in order without an error, each notebook has a picture, and its page is made of it."""
    assert [path.with_suffix(".md").name for path in NOTEBOOKS] == list(PAGES)
    for path in NOTEBOOKS:
        cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
        assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
        outputs = [output for cell in cells for output in cell["outputs"]]
        assert all(output["output_type"] != "error" for output in outputs)
        assert path.with_suffix(".md").read_text(encoding="utf-8") == making["page"](path)
        shown = making["pictures"](path)
        assert shown
        for name, content in shown.items():
            assert (path.parent / name).read_bytes() == content
            assert f"]({name})" in making["page"](path)


def test_sources_of_the_notebooks_are_sound():
    """They parse, assert what they say, and use the functions that `import boundcheck` has, with their parameters."""
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        calls = 0
        for node in ast.walk(ast.parse(code)):
            of = node.func if isinstance(node, ast.Call) else None
            if isinstance(of, ast.Attribute) and isinstance(of.value, ast.Name) and of.value.id == "bc":
                calls += 1
                taken = inspect.signature(getattr(boundcheck, of.attr)).parameters
                open_ = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in taken.values())
                assert open_ or {word.arg for word in node.keywords if word.arg} <= set(taken), (path.name, of.attr)
        assert calls
        assert "assert " in code
        assert "sys.path" not in code


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_and_prints_what_it_holds(path, making):
    """By nbclient, in a process of its own; what cells printed is what stands there (numbers of pictures aside)."""
    for module in ("nbclient", "ipykernel"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    again = json.loads(making["run"](path))["cells"]
    before = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert [printed_texts(cell) for cell in again] == [printed_texts(cell) for cell in before]


def printed_texts(cell):
    """Return what a cell printed; a picture has a text that says how large it is, and seconds are of a machine."""
    kept = [output for output in cell.get("outputs", ()) if "image/png" not in output.get("data", {})]
    return [output.get("text") or output.get("data", {}).get("text/plain") for output in kept]


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mkdocs") is None, reason="needs the extra docs")
def test_site_builds_with_all_links(tmp_path):
    """`mkdocs build --strict`: a link that leads nowhere is an error; the index of the search is there."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True)
    assert (tmp_path / "search" / "search_index.js").is_file()
    assert "boundcheck.api.theorems.check" in (tmp_path / "api.html").read_text(encoding="utf-8")
    assert 'id="momentum-fl-e1"' in (tmp_path / "gallery.html").read_text(encoding="utf-8")
    require_complete(tmp_path)
    if shutil.which("chromium"):
        require_search(tmp_path)


ASK = """<script>setTimeout(() => {
  document.querySelector("[data-md-toggle=search]").click();
  const query = document.querySelector("[data-md-component=search-query]");
  query.focus();
  query.value = "refuted";
  query.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
}, 3000)</script></body>"""
"""What a reader does who looks for a word."""


def require_search(site):
    """Ask a page that is opened as a file, without a server, for a word on other pages."""
    text = (site / "index.html").read_text(encoding="utf-8")
    (site / "asked.html").write_text(text.replace("</body>", ASK), encoding="utf-8")
    command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000", "--dump-dom"]
    done = subprocess.run([*command, (site / "asked.html").as_uri()], check=True, capture_output=True, text=True)
    assert re.search(r"\d+ matching documents", done.stdout)
    assert "glossary.html" in done.stdout.partition("matching documents")[2]


def require_complete(site):
    """Refuse a page that loads a script, a style or a picture from elsewhere, or has a formula in TeX."""
    pages = {path.relative_to(site).as_posix(): path.read_text(encoding="utf-8") for path in site.rglob("*.html")}
    away = re.compile(r'<(?:script|img|iframe)[^>]*\ssrc="https?:|<link[^>]*rel="stylesheet"[^>]*href="https?:')
    assert [name for name, text in pages.items() if away.search(text)] == []
    assert [name for name, text in pages.items() if "arithmatex" in text] == []
    written = [path for path in (DOCS / "methods").glob("*.md") if "$$" in path.read_text(encoding="utf-8")]
    assert len(written) > 50
    assert [path.stem for path in written if 'display="block"' not in pages[f"methods/{path.stem}.html"]] == []


@pytest.mark.skipif(importlib.util.find_spec("latex2mathml") is None, reason="needs the extra docs")
def test_formulas_become_mathml():
    """A fraction is one; a command without MathML is an error that names the page."""

    class Page:
        class file:
            src_uri = "methods/fedavg.md"

    hook = runpy.run_path(str(DOCS / "hooks.py"))["on_page_content"]
    made = hook('<p>a <span class="arithmatex">\\(\\frac{x}{2} &lt; y\\)</span></p>', Page)
    assert made.startswith("<p>a <math")
    assert "<mfrac><mrow><mi>x</mi></mrow><mrow><mn>2</mn></mrow></mfrac>" in made
    assert "&#x0003C;" in made
    with pytest.raises(ValueError, match=r"methods/fedavg.md: a command without MathML in \\nosuch"):
        hook('<div class="arithmatex">\\[\\nosuch{x}\\]</div>', Page)


def test_a_table_with_long_cells_names_its_columns_for_a_phone():
    """Each cell says what it is of; a bar in code is one again; numbers alone stay a table."""

    class Page:
        class file:
            src_uri = "cli.md"

        meta: ClassVar[dict[str, list[str]]] = {}

    hooks = runpy.run_path(str(DOCS / "hooks.py"))
    row = "<thead><tr><th>command</th><th>does</th></tr></thead><tr>\n<td><code>a\\|b</code></td><td>{}</td></tr>"
    made = hooks["on_page_content"](f"<table>{row.format('x' * 60)}</table>", Page)
    assert made.startswith("<table data-stacked><thead>")
    assert '<td data-of="command"><code>a|b</code></td><td data-of="does">xxx' in made
    short = hooks["on_page_content"](f"<table>{row.format('x')}</table>", Page)
    assert "data-" not in short
    assert "<code>a|b</code>" in short
    assert "table[data-stacked]" in (DOCS / "assets" / "extra.css").read_text(encoding="utf-8")
    hooks["on_page_markdown"]("text", Page)
    assert Page.meta == {"hide": ["toc"]}
    assert all((DOCS / name).is_file() for name in hooks["WIDE"])


def test_links_out_of_the_pages_become_names():
    """A link to a file outside docs/ is its name, one within a subfolder stays."""

    class Page:
        class file:
            src_uri = "sweep.md"

    hook = runpy.run_path(str(DOCS / "hooks.py"))["on_page_markdown"]
    assert hook("see [it](../reports/audit.toml#x) and [that](trust.md)", Page) == (
        "see it (`reports/audit.toml`) and [that](trust.md)"
    )
    Page.file.src_uri = "methods/fedavg.md"
    assert hook("[it](../trust.md)", Page) == "[it](../trust.md)"
