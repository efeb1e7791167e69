import pickle

import numpy as np
import pytest
from matplotlib.figure import Figure
from report_cases import RECIPE

from boundcheck.errors import InputError
from boundcheck.evidence.statistics.shape import judge_shape
from boundcheck.problems import load_problem
from boundcheck.report import save_figure
from boundcheck.report.plots import figures, style
from boundcheck.report.plots.curves import PANELS, curves, main_letter, metrics, ratios, thin, trajectories, varying

pytestmark = pytest.mark.xdist_group("report")


def by_id(results, name):
    return next(r for r in results if r.study.id == name)


def test_curves_hold_the_verdicts_numbers(results):
    """A curve along T holds means and right-hand sides of the cells, and terms that add up to the first bound."""
    result = by_id(results, "speed-up")
    lines = curves(result, "T")
    assert [line.fixed["N"] for line in lines] == [2, 4, 8]
    for line in lines:
        assert line.x == (8, 16, 32)
        cells = [p for p in result.points if p.setting["N"] == line.fixed["N"]]
        assert line.mean == tuple(p.verdicts["momentum-fl.theorem11"].measured for p in cells)
        total = np.sum(list(line.terms.values()), axis=0)
        np.testing.assert_allclose(total, line.totals["momentum-fl.theorem11"])


def test_bounds_share_a_figure_only_on_one_left_hand_side(results):
    """Bounds on different metrics are drawn against their own measurements."""
    result = by_id(results, "two-metrics")
    assert metrics(result) == ["envelope_gradient_sum", "envelope_gradient"]
    for metric, name in zip(metrics(result), result.study.bounds, strict=True):
        (line,) = curves(result, "T", metric)
        assert list(line.totals) == [name]
        assert line.mean == tuple(p.verdicts[name].measured for p in result.points)


def test_a_zipped_grid_is_one_curve(results):
    """In a zipped grid the other letters run along, so nothing is fixed."""
    (line,) = curves(by_id(results, "zipped"), "T")
    assert (dict(line.fixed), line.x) == ({}, (8, 16, 32))


def test_panels_are_few_and_keep_both_ends():
    """Many slices are thinned evenly to the number of panels, first and last included."""
    kept = thin(list(range(11)), PANELS)
    assert (len(kept), kept[0], kept[-1]) == (PANELS, 0, 10)


def test_main_letter_is_T_where_T_varies(results):
    """The horizontal axis is T, whatever other letters vary; a single cell has no letter but keeps the axis."""
    assert main_letter(by_id(results, "speed-up")) == "T"
    assert varying(by_id(results, "single")) == []
    assert main_letter(by_id(results, "single")) == "T"


def test_trajectories_end_at_the_measured_mean(results):
    """The last point of a running average is the measured left-hand side of its cell."""
    result = by_id(results, "speed-up")
    ends = {p.verdicts["momentum-fl.theorem11"].measured for p in result.points if p.setting["T"] == 32}
    assert {t.mean[-1] for t in trajectories(result)} <= ends


def test_ratios_are_measured_over_bound(results):
    """A ratio is the mean of the cell over its right-hand side, cell by cell."""
    result = by_id(results, "false-as-printed")
    (line,) = ratios(result)
    cells = [p.verdicts["momentum-fl.theorem19-printed"] for p in result.points]
    assert line.y == tuple(v.measured / v.rhs for v in cells)


def test_slopes_of_other_methods_start_at_the_measurement(results):
    """The line of (L Delta sigma^2/(N K T))^(1/2) + L Delta/T starts at the first mean and keeps its shape."""
    for line in curves(by_id(results, "speed-up"), "T"):
        N, T = int(line.fixed["N"]), np.array(line.x)
        known = {k: c.value for k, c in load_problem("ridge-ratio", N=N, d=2, sigma=2.0).constants.items()}
        descent = known["L"] * known["Delta"]
        shape = np.sqrt(descent * known["sigma"] ** 2 / (N * T)) + descent / T
        slope = line.overlays["momentum-fl.table1-fedavg-m"]
        np.testing.assert_allclose(slope, line.mean[0] * shape / shape[0])


def test_accuracies_that_were_not_reached_are_arrows(results):
    """Every accuracy is drawn: a point where it was reached, an arrow at the longest horizon where it was not."""
    items = by_id(results, "speed-up").times
    axes = figures.times_figure(items).axes[0]
    drawn = sum(len(line.get_xdata()) for line in axes.lines)
    assert drawn == sum(len(item.times.reached) for item in items)
    arrows = axes.lines[1].get_ydata()
    late = [found for found in items[0].times.reached if found.relation == ">="]
    assert len(late) > 0
    assert list(arrows) == [32.0] * len(late)


def test_rates_have_a_panel_a_study(results):
    """Each panel holds the measurements of the last slice of its study."""
    chosen = [by_id(results, "speed-up"), by_id(results, "two-metrics")]
    figure = figures.rates_figure(chosen)
    for axes, result in zip(figure.axes, chosen, strict=True):
        assert tuple(axes.lines[0].get_ydata()) == curves(result, "T")[-1].mean


def test_small_multiples_have_a_panel_for_every_pair(results):
    """Two letters beside N make a grid: the first one down, the second across, each with its own measurements."""
    result = by_id(results, "multiples")
    figure = figures.speedup_figure(result, "N")
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == ["K = 1, ζ = 0.5", "K = 1, ζ = 1", "K = 2, ζ = 0.5", "K = 2, ζ = 1"]
    drawn = [tuple(axes.lines[0].get_ydata()) for axes in figure.axes]
    assert drawn == [line.mean for line in curves(result, "N")]


@pytest.mark.parametrize("slope", [-0.5, 1.0])
def test_slope_triangle_has_the_slope(slope):
    """The hypotenuse of the triangle has the promised slope in logarithms."""
    axes = Figure().subplots()
    axes.set(xscale="log", yscale="log")
    style.slope_triangle(axes, (10.0, 1000.0), 3.0, slope, "label")
    corners = np.log(axes.patches[0].get_xy())
    steps = np.diff(corners, axis=0)
    drawn = [dy / dx for dx, dy in steps if abs(dx) > 1e-9 and abs(dy) > 1e-9]
    np.testing.assert_allclose(drawn, slope)


@pytest.mark.parametrize(("exponent", "expected"), [(-0.5, "$T^{-1/2}$"), (2 / 3, "$T^{2/3}$"), (0.513, "$T^{0.51}$")])
def test_exponent_labels_are_fractions_where_they_are(exponent, expected):
    """A promised exponent is labelled by its fraction, a fitted one by two decimals."""
    assert style.exponent_label("T", exponent) == expected


@pytest.mark.parametrize(
    ("study", "ending"),
    [
        ("single", "png"),
        ("speed-up", "svg"),
        *(
            pytest.param(s.id, "svg", marks=pytest.mark.slow)
            for s in RECIPE.study
            if s.id not in {"refused", "speed-up"}
        ),
    ],
)
def test_main_figure_is_the_same_every_time(results, study, ending, tmp_path):
    """The main figure of a study can be saved alone, with the same bytes every time and no date."""
    first = save_figure(by_id(results, study), tmp_path / f"a.{ending}").read_bytes()
    assert save_figure(by_id(results, study), tmp_path / f"b.{ending}").read_bytes() == first
    assert b"dc:date" not in first


def test_figure_against_a_letter_of_the_grid(results, tmp_path):
    """The figure against N can be saved alone; a letter that does not vary is refused with those that do."""
    result = by_id(results, "speed-up")
    assert save_figure(result, tmp_path / "n.svg", letter="N").stat().st_size > 0
    with pytest.raises(InputError, match="N, T"):
        save_figure(result, tmp_path / "k.svg", letter="K")


def test_axis_of_words_is_never_logarithmic(results):
    """Letters with words or zeros as values tell slices apart but are no axis."""
    result = by_id(results, "words")
    assert main_letter(result) == "T"
    assert [line.label for line in curves(result, "T")] == [
        f"link = {link}, ζ = {zeta}" for link in ("ratio", "log") for zeta in (0, 1)
    ]


def test_an_axis_that_spans_little_has_plain_numbers_in_any_process():
    """A figure travels to the process that draws it, with what writes its labels."""
    figure = Figure()
    axes = figure.subplots()
    axes.set(yscale="log", ylim=(1.0, 3.0))
    figures.log_axis(axes)
    (there,) = pickle.loads(pickle.dumps(figure)).axes
    assert [there.yaxis.get_major_formatter()(value) for value in (1.5, 2.0)] == ["1.5", "2"]


def test_diverged_runs_leave_a_gap(results):
    """Infinite measurements are left out of a figure rather than breaking it."""
    from dataclasses import replace

    result = by_id(results, "speed-up")
    broken = []
    for point in result.points:
        verdicts = {k: replace(v, measured=np.inf, low=np.inf, high=np.inf) for k, v in point.verdicts.items()}
        broken.append(replace(point, verdicts=verdicts))
    assert isinstance(figures.bound_figure(replace(result, points=broken)), Figure)


def test_shape_figure_draws_every_slice():
    """The figure of a bound of order only has a marker line and a fitted line a slice."""
    x = [1.0, 10.0, 100.0]
    shape = judge_shape("T", x, [np.full(3, 2.0)] * 3, x)
    figure = figures.shape_figure("momentum-fl.theorem11-printed", [("a", shape), ("b", shape)])
    assert len(figure.axes[0].lines) == 4
