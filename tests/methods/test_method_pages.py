"""The pages about the files of methods are what the generator makes of the docstrings, with nothing lost."""

import dataclasses
import re
from pathlib import Path

import pytest

from boundcheck.methods import METHODS
from boundcheck.methods.pages import markdown, markdown_pages, parts, write_pages

DOCS = Path(__file__).parents[2] / "docs"


def test_files_and_generator_are_in_step():
    """docs/methods holds exactly the generated pages; write_pages(Path("docs/methods")) brings it up to date."""
    assert {path.name: path.read_text() for path in (DOCS / "methods").iterdir()} == markdown_pages()


def test_every_page_is_linked():
    """docs/methods.md links every page once."""
    linked = re.findall(r"\]\(methods/(\w+\.md)\)", (DOCS / "methods.md").read_text())
    assert sorted(linked) == sorted(markdown_pages())


def test_every_method_has_one_section():
    """The sections of all pages are the registered methods, each on the page of its file."""
    for name, method in METHODS.items():
        found = [page for page, text in markdown_pages().items() if f"\n## {name}: {method.card.title}\n" in text]
        assert found == [f"{method.__module__.rpartition('.')[2]}.md"]


@pytest.mark.parametrize("name", METHODS)
def test_docstrings_are_read_completely(name):
    """All hyperparameters, a problem, an update with formulas, costs, guarantee and references are found."""
    found = parts(METHODS[name])
    names = [one for names, _, _ in found.attributes for one in names.split(", ")]
    assert sorted(names) == sorted(f.name for f in dataclasses.fields(METHODS[name]))
    assert all(kind and meaning for _, kind, meaning in found.attributes)
    labels = [re.match(r"[*\w]+", paragraph)[0].strip("*") for paragraph in found.paragraphs]
    assert [x for x in labels if x in {"Problem", "Update", "Communication", "Guarantee"}] == [
        "Problem",
        "Update",
        "Communication",
        "Guarantee",
    ]
    assert [reference[:3] for reference in found.references] == [f"[{n + 1}]" for n in range(len(found.references))]


def test_no_line_is_read_as_something_else():
    """No broken line begins like a list, a quotation or a heading, and no formula is cut."""
    for text in markdown_pages().values():
        for line in text.splitlines():
            assert not re.match(r"\s*([-+>=]\s|\d+[.)]\s|#{3,})", line), line
            assert line.count("`") % 2 == 0, line


def test_formulas_become_code_and_the_rest_is_left_as_text():
    """Double backticks become code; a star or a tag outside is escaped, bold is kept."""
    assert markdown("**Update**: ``y <- a * y``, 2*K of <v>") == "**Update**: `y <- a * y`, 2\\*K of \\<v>"


def test_writing_removes_pages_of_files_that_are_no_more(tmp_path):
    """A folder holds the generated pages afterwards, and nothing else."""
    (tmp_path / "gone.md").write_text("old")
    write_pages(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == markdown_pages()
