"""The pages of comparison tables: every row is there, printed costs are as printed, the map shows who wins."""

import re
import sys

import numpy as np
import pytest

from boundcheck.bounds.comparison import TABLES, dial, winners, winners_map
from boundcheck.report.document import compile_typst, preamble
from boundcheck.report.pages.comparison import comparison
from boundcheck.report.plots.maps import winners_figure
from boundcheck.report.typst.markup import escape

pytestmark = pytest.mark.xdist_group("comparison")

NAMES = ["fedglomo.table1", "fmgda.table1"]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Return the section's Typst source and the folder of its figures."""
    folder = tmp_path_factory.mktemp("tables")
    return comparison(NAMES, folder), folder


def test_every_row_is_on_its_page(source):
    """Printed rows and those that replace them, by title."""
    text, folder = source
    for name in NAMES:
        for row in (*TABLES[name].rows(), *TABLES[name].rows("ours")):
            assert escape(row.title) in text
        assert (folder / f"who-wins-{name.replace('.', '-')}.svg").is_file()


def test_printed_powers_are_on_the_page(source):
    """FMGDA's row says eps^-2 rounds and eps^-3 samples, Momentum Local SGDA's eps^-3 and eps^-4."""
    text, _ = source
    for title, rounds, samples in (("FMGDA (Corollary 1)", 2, 3), ("Federated Momentum Local SGDA", 3, 4)):
        line = next(line for line in text.splitlines() if title in line)
        assert re.findall(r"\$epsilon\^\(-(\d)\)\$", line) == [str(rounds), str(samples)]


def test_a_page_that_is_kept_is_the_page_that_is_made(source, tmp_path, monkeypatch):
    """Source and pictures, made and read again; the second time no table is looked at."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text, folder = source
    for turn in ("first", "second"):
        (there := tmp_path / turn).mkdir()
        assert comparison(NAMES, there, keep=True) == text
        for path in there.iterdir():
            assert path.read_bytes() == (folder / path.name).read_bytes()
        assert len(list(there.iterdir())) == len(list(folder.glob("who-wins*")))
        monkeypatch.setattr(sys.modules[comparison.__module__], "_page", None)


def test_the_section_compiles(source):
    """Typst takes it as it is."""
    text, folder = source
    (folder / "report.typ").write_text(preamble("x") + text, encoding="utf-8")
    assert compile_typst(folder / "report.typ").startswith(b"%PDF")


def test_the_map_shows_the_winners():
    """Cells have the number of their set of winners, in the order of the legend."""
    table = TABLES["fedglomo.table1"]
    xs, ys = dial(table, "eps_acc", 4), dial(table, "alpha_div", 3)
    board = winners_map(table, "eps_acc", "alpha_div", xs, ys)
    figure = winners_figure(board)
    axes = figure.axes[0]
    shown = np.asarray(axes.collections[0].get_array()).reshape(len(ys), len(xs))
    for i, y in enumerate(ys):
        for j, x in enumerate(xs):
            assert board.parties[int(shown[i, j])] == winners(table, {"eps_acc": x, "alpha_div": y})
    assert len(figure.legends[0].get_texts()) == len(board.parties)
