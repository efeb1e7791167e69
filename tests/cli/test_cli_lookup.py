"""`findings`, `explain` and `plot` on the command line."""

import pytest
from cli_calls import called, parsed

from boundcheck.api.theorems import horizons_up_to
from boundcheck.findings import findings
from boundcheck.glossary import words
from boundcheck.notation import PAPERS

PLOT = ("plot", "momentum-fl.theorem11", "quadratic-tilt", "--N", 2, "--K", 1, "--workers", 1)


def test_findings_of_a_paper_and_one_finding(capsys):
    """A paper's are those of its section; one finding shows its status first, what is printed and the repair."""
    every = parsed(capsys, "findings")
    assert [one["id"] for one in every] == [one.id for one in findings()]
    for paper in PAPERS:
        mine = parsed(capsys, "findings", paper)
        assert mine == [one for one in every if one["paper"] == paper]
    out = called(capsys, "findings", "momentum-fl-e4")[1]
    assert out.splitlines()[0] == "✗ false as printed"
    for text in ("write instead", "η K L ≤ β/√12960", "gallery.md#momentum-fl-e4"):
        assert text in out


def test_findings_by_severity(capsys):
    """The three kinds add up to all."""
    kinds = [parsed(capsys, "findings", "--severity", kind) for kind in ("statement", "step", "sentence")]
    assert sum(map(len, kinds)) == len(findings())
    assert all(kinds)


@pytest.mark.parametrize("columns", [60, 80])
def test_findings_fit_the_terminal(capsys, monkeypatch, columns):
    """The list and every card."""
    monkeypatch.setenv("COLUMNS", str(columns))
    for paper in ((), *((paper,) for paper in PAPERS)):
        assert max(map(len, called(capsys, "findings", *paper)[1].splitlines())) <= columns


def test_words_are_explained_in_any_case_and_by_part(capsys):
    """A term, a part of several, and a letter with what the papers print for it."""
    assert parsed(capsys, "explain", "Vacuous") == [words()["vacuous"]._asdict()]
    terms = [entry["term"] for entry in parsed(capsys, "explain", "trivial")]
    assert "trivial bound" in terms
    (letter,) = parsed(capsys, "explain", "zeta")
    assert letter["papers"]["gradma"] == "rho"
    assert "heterogeneity" in called(capsys, "explain", "zeta")[1]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_plot_writes_a_picture(capsys, tmp_path, ending):
    """In every form; names in any order."""
    path = tmp_path / f"check.{ending}"
    code, out, err = called(capsys, *PLOT, "--T", 5, 20, "-o", path)
    assert (code, out) == (0, ""), err
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(start)
    if ending == "svg":
        assert called(capsys, "plot", "quadratic-tilt", *PLOT[1:2], *PLOT[3:], "--T", 5, 20, "-o", path)[0] == 0


def test_one_horizon_is_the_longest_of_several():
    """Six horizons at the same ratio, or at the ratio sqrt(10) where there are decades enough; 1 is one."""
    assert horizons_up_to(1) == [1]
    assert horizons_up_to(32) == [1, 2, 4, 8, 16, 32]
    assert horizons_up_to(10**5)[0] == round(10**2.5)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("findings", "fedlalrr"), "did you mean fedlalr"),
        (("explain", "vacous"), "did you mean vacuous"),
        ((*PLOT, "--T", 5, "-o", "x.txt"), "a file ending in .png or .svg or .pdf"),
        (("plot", "fedlalr.theorem1", "quadratic-tilt", *PLOT[3:], "--T", 5, "-o", "x.png"), "nothing to draw"),
    ],
)
def test_bad_input_is_one_line(capsys, tmp_path, monkeypatch, command, words):
    """Exit code 2, and the line says what is legal."""
    monkeypatch.chdir(tmp_path)
    code, out, err = called(capsys, *command)
    lines = [line for line in err.splitlines() if line.startswith("boundcheck: ")]
    assert (code, out, len(lines)) == (2, "", 1)
    assert words in err


def test_findings_that_are_loose(capsys):
    """True theorems beside a machine's; the options of other findings are refused."""
    found = parsed(capsys, "findings", "--loose")
    assert all(max(row["factor"], row["long"] or 0) > 2 for row in found)
    code, out, _ = called(capsys, "findings", "--loose")
    assert code == 0
    assert f"{len(found)} theorems are more than twice" in out
    code, _, err = called(capsys, "findings", "--loose", "--severity", "step")
    assert code != 0
    assert "--severity" in err
    code, out, _ = called(capsys, "show", "momentum-fl.theorem11")
    assert "beside a machine's theorem" in out
