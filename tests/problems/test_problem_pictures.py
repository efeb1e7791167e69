"""The pictures and the code of docs/problems.md."""

import re
from pathlib import Path

import pytest
from run_script import printed

pytestmark = pytest.mark.xdist_group("pictures")

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = re.findall(r"!\[[^\]]+\]\((figures/[^)]+)\)", (DOCS / "problems.md").read_text())


def test_every_picture_of_the_page_exists():
    """The page refers to nine pictures with a description, and all are there."""
    assert len(PICTURES) == len(set(PICTURES)) >= 9
    assert [name for name in PICTURES if not (DOCS / name).is_file()] == []


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Run the script of the families into an empty folder."""
    folder = tmp_path_factory.mktemp("figures")
    printed(DOCS / "figures" / "families.py", folder)
    return folder


def test_the_script_draws_what_the_page_shows(drawn):
    """Every picture that the script writes is on the page, is small, and stands next to the script."""
    names = sorted(path.name for path in drawn.iterdir())
    assert len(names) == 7
    for name in names:
        assert f"figures/{name}" in PICTURES
        assert (drawn / name).stat().st_size < 110_000
        assert (DOCS / "figures" / name).read_text().startswith("<?xml")


def test_the_code_of_the_page_runs(capsys):
    """The blocks run one after the other, and no certificate that the first one prints is False."""
    blocks = re.findall(r"```python\n(.*?)```", (DOCS / "problems.md").read_text(), flags=re.DOTALL)
    assert len(blocks) >= 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "problems.md", "exec"), names)
    printed = capsys.readouterr().out.splitlines()
    assert len(printed) >= 10
    assert all(line.endswith("True") for line in printed)
