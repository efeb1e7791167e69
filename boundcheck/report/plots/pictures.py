"""The small pictures of the third page; each with the sentence that its numbers make."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from boundcheck.bounds import BOUNDS
from boundcheck.metrics import METRICS
from boundcheck.report.plots import style
from boundcheck.report.plots.curves import curves, legend_name
from boundcheck.report.plots.figures import log_axis
from boundcheck.report.typst.markup import letter, number, prose, three_decimals

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes

    from boundcheck.sweep import StudyResult

    Told = tuple[Figure, str]

SIZE = (3.3, 1.75)


def _small() -> tuple[Figure, Axes]:
    figure = Figure(figsize=SIZE, layout="constrained")
    return figure, figure.subplots()


def heterogeneity(results: Sequence[StudyResult]) -> Told:
    """Return the measured left-hand side against zeta, at prescribed steps and at the steps of compared methods."""
    (result,) = results
    (curve,) = curves(result, "zeta")
    with style.look():
        figure, axes = _small()
        axes.plot(curve.x, curve.mean, label="prescribed steps", **style.MEASURED.keywords)
        for i, (name, values) in enumerate(curve.compared.items()):
            axes.plot(curve.x, values, label=legend_name(name), **style.nth(style.COMPARED, i).keywords)
        axes.set(xscale="log", yscale="log", xlabel=r"heterogeneity $\zeta$")
        axes.set_ylabel(METRICS[BOUNDS[result.study.bounds[0]].metric].axis)
        log_axis(axes)
        axes.legend(fontsize=7.5)
    spread = {"the prescribed steps": curve.mean, **curve.compared}
    told = "; ".join(f"by a factor {number(max(v) / min(v))} at {prose(name)}" for name, v in spread.items())
    step = result.points[-1].verdicts[result.study.bounds[0]].setting or {}
    return figure, f"Over $zeta$ the measured side changes {told}; the prescribed $eta$ is {number(step.get('eta'))}."


def steps(results: Sequence[StudyResult]) -> Told:
    """Return, a line a study, how much smaller the left-hand side is at the best of the compared steps."""
    with style.look():
        figure, axes = _small()
        factors: list[float] = []
        best: list[str] = []
        for i, result in enumerate(results):
            curve = curves(result, "T")[-1]
            gain = np.array(curve.mean) / np.nanmin(np.array(list(curve.compared.values())), axis=0)
            factors.append(float(gain[-1]))
            best.append(min(curve.compared, key=lambda name: (np.isnan(v := curve.compared[name][-1]), v)))
            axes.plot(curve.x, gain, label=result.study.problem, **style.nth(style.SERIES, i).keywords)
        axes.axhline(1.0, color=style.GREY, linewidth=0.8)
        axes.set(xscale="log", yscale="log", xlabel="$T$ (rounds)", ylabel="theory / best of grid")
        axes.legend(fontsize=7.5)
    longest = f"{number(min(factors))} to {number(max(factors))}"
    count = min(len(curves(result, "T")[-1].compared) for result in results)
    chosen = "; ".join(f"{result.study.problem}: {prose(name)}" for result, name in zip(results, best, strict=True))
    return figure, (
        f"At the longest horizon the prescribed steps leave a squared gradient {longest} times larger than the best of "
        f"{count} choices, which is ({chosen})."
    )


def speed_up(results: Sequence[StudyResult]) -> Told:
    """Return the fitted power of N against T, with the promised one."""
    (result,) = results
    fits = sorted((float(dict(at)["T"]), fit) for at, fit in result.fits if fit.letter == "N")
    x = [t for t, _ in fits]
    with style.look():
        figure, axes = _small()
        low, high = ([-end for end in ends] for ends in zip(*((f.high, f.low) for _, f in fits), strict=True))
        axes.fill_between(x, low, high, color=style.BLUE, alpha=0.2, linewidth=0)
        axes.plot(x, [-f.exponent for _, f in fits], label="measured, 95 %", **style.BOUNDS[0].keywords)
        axes.axhline(-fits[-1][1].promised, color=style.BLACK, linestyle="--", linewidth=0.9, label="promised")
        axes.set(xscale="log", xlabel="$T$ (rounds)", ylabel="power of $N$")
        # All intervals are drawn whole, as far as they say anything; the places of the horizons are ticks.
        axes.set_ylim(max(min(low), -2) - 0.1, min(max(high), 2) + 0.1)
        axes.legend(fontsize=7.5)
    from_on = first_lasting([(t, fit.promise == "as promised") for t, fit in fits])
    hurts = [(f"$T = {t:g}$", f"${letter('N')}^({-fit.exponent:.2f})$") for t, fit in fits if fit.exponent < 0]
    horizons, powers = (", ".join(part) for part in zip(*hurts, strict=True)) if hurts else ("", "")
    worse = f"At {horizons} more clients make the left-hand side larger: {powers}. " if hurts else ""
    said = (
        "on this grid the last power is not as promised"
        if from_on is None
        else f"as promised from $T = {from_on:g}$ on"
    )
    last = fits[-1][1]
    power = f"${letter('N')}^({three_decimals(-last.exponent)[1:-1]})$"
    return figure, f"{worse}{said[0].upper()}{said[1:]}; at the longest horizon {power}."


def first_lasting(told: Sequence[tuple[float, bool]]) -> float | None:
    """Return the first place from which on all that follows is true, None if the last is not."""
    start = None
    for at, true in reversed(told):
        if not true:
            break
        start = at
    return start


PICTURES: dict[str, Callable[[Sequence[StudyResult]], Told]] = {
    "heterogeneity": heterogeneity,
    "steps": steps,
    "speed-up": speed_up,
}
