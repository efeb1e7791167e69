"""Portraits of problems."""

import numpy as np
import pytest
from turns import first_of_each

from boundcheck.errors import InputError
from boundcheck.problems import FAMILIES, instances, load_problem
from boundcheck.problems.own.functions import from_functions
from boundcheck.report import save_portrait
from boundcheck.report.plots.line import line_of
from boundcheck.report.plots.portrait import portrait


def texts(axes):
    """Return everything a panel says."""
    return " ".join([*(t.get_text() for t in axes.texts), *axes.get_legend_handles_labels()[1]])


SMALL_FIRST = sorted(instances(), key=lambda page: page.id.endswith("digits"))


@pytest.mark.parametrize("page", first_of_each(lambda page: page.family, SMALL_FIRST), ids=lambda page: page.id)
def test_every_instance_has_a_portrait(page):
    """Each shipped instance is drawn in four panels, everything on them finite, whatever does not apply."""
    problem = load_problem(page.id, N=2)
    figure = portrait(problem)
    assert len(figure.axes) == 4
    for axes in figure.axes:
        for drawn in axes.lines:
            assert np.isfinite(np.asarray(drawn.get_ydata(), dtype=float)).all()
        assert axes.lines or axes.texts


@pytest.mark.parametrize("ending", ["svg", "png", "pdf"])
def test_a_portrait_is_written_in_three_formats_with_the_same_bytes(ending, tmp_path):
    """Two runs write the same file."""
    problem = load_problem("quadratic-tilt", N=2)
    one, two = (save_portrait(problem, tmp_path / part / f"it.{ending}") for part in ("a", "b"))
    assert one.read_bytes() == two.read_bytes()
    assert one.stat().st_size > 1000


def test_another_ending_is_refused(tmp_path):
    """A path that is no picture is refused by name."""
    with pytest.raises(InputError, match=r"a path in \.svg, \.png or \.pdf"):
        save_portrait(load_problem("quadratic-tilt", N=2), tmp_path / "it.txt")


def test_claims_are_drawn_at_their_squares():
    """zeta^2 and sigma^2 are horizontal lines, and what is measured never lies above them."""
    problem = load_problem("ridge-ratio-phases", N=8)
    axes = portrait(problem).axes
    for panel, letter in ((axes[2], "zeta"), (axes[3], "sigma")):
        measured, claimed = panel.lines
        assert claimed.get_ydata()[0] == pytest.approx(problem.constant(letter) ** 2)
        assert max(measured.get_ydata()) <= claimed.get_ydata()[0] * (1 + 1e-9)


@pytest.mark.parametrize(
    ("name", "N", "panel", "words"),
    [
        ("fmgda-e1", 1, 2, "a single client"),
        ("momentum-fl-e2", 2, 2, "all clients are alike"),
        ("stress-huber", 1, 3, "gradients are exact"),
        ("chain", 2, 3, "none along this line"),
        ("mlp-wine", 2, 3, r"no $\sigma$ is claimed"),
        ("ncsc-p1", 2, 2, "largest"),
    ],
)
def test_a_panel_that_does_not_apply_says_so(name, N, panel, words):
    """One client, clients that are alike, exact gradients and missing constants are named."""
    assert words in texts(portrait(load_problem(name, N=N)).axes[panel])


def test_the_line_passes_through_start_and_minimiser():
    """Position 0 is the claimed minimiser and position `length` is the start."""
    problem = load_problem("ridge-ratio", N=2)
    line = line_of(problem)
    ends = line.points(np.array([0.0, line.length]))
    np.testing.assert_allclose(ends, [problem.constants["f_star"].at, problem.start], atol=1e-12)


def test_a_limit_is_not_taken_for_a_minimiser():
    """Where the infimum is a limit far out, the line ends where the descent is almost done."""
    line = line_of(load_problem("ridge-sigmoid", N=2))
    assert line.words == "through the start, towards the infimum"
    assert line.length < 50


def test_the_line_stays_in_the_ball():
    """Constants that hold on a ball are not drawn outside it."""
    problem = load_problem("auc-two-point[radius=2]", N=1)
    line = line_of(problem)
    assert np.linalg.norm(line.points(line.at), axis=1).max() <= 2 * (1 + 1e-9)


def test_an_own_problem_has_a_portrait(tmp_path):
    """A problem made of plain functions, with no constants, is drawn as well."""
    problem = from_functions(lambda i, x: float(x @ x), lambda i, x: 2 * x, N=12, d=2, start=[1.0, 2.0])
    assert save_portrait(problem, str(tmp_path / "own.svg")).exists()


def test_families_are_all_drawn():
    """Every family has at least one shipped instance, so the first test draws it."""
    assert {page.family for page in instances()} == set(FAMILIES)
