"""Draw the pictures of docs/problems.md about families: ``python docs/figures/families.py [FOLDER]``."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from boundcheck.engine.streams import NOISE, LaneStreams
from boundcheck.problems import Problem, load_problem
from boundcheck.problems.links import link_named
from boundcheck.report.plots import style
from boundcheck.report.plots.figures import save
from boundcheck.report.plots.portrait import portrait

HERE = Path(__file__).parent
LINKS = ("ratio", "log", "cosine", "sigmoid", "log-cosh", "coercive", "huber", "half-huber")
DIALS = {
    "tilt": "ridge-ratio[d=1,zeta=0.4,sigma=0]",
    "phase": "ridge-ratio[d=1,zeta=0.4,heterogeneity=phase,sigma=0]",
    "shift": "ridge-shift[d=1,sigma=0]",
    "curvature": "ridge-split[d=1,sigma=0]",
    "mixture": "ridge-mixture[d=4,sigma=0]",
    "waves": "ridge-waves[d=1,sigma=0]",
}
"""Dial to a problem that turns it."""
NOISES = ("signs", "phases", "finite-phases", "sparse", "spikes", "dropout")
SMALL = {"path.simplify_threshold": 0.5}
"""Points of curves closer to a chord than half a pixel are left out."""
COLOURS = (style.BLUE, style.VERMILLION, style.GREEN, style.PURPLE)


def links() -> Figure:
    """Draw eight links with slope and curvature."""
    z = np.linspace(-6, 6, 241)
    figure = Figure(figsize=(style.WIDTH, 3.4), layout="constrained")
    panels = figure.subplots(2, 4, sharex=True)
    for axes, name in zip(panels.flat, LINKS, strict=True):
        link = link_named(name)
        axes.plot(z, link.value(z), color=style.BLACK, label="value")
        axes.plot(z, link.slope(z, 1.0), color=style.BLUE, linestyle="--", label="slope")
        axes.plot(z, link.curvature(z), color=style.VERMILLION, linestyle="-.", label="curvature")
        axes.set_title(name)
        axes.set_ylim(-1.6, 3.6)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def dials() -> Figure:
    """Draw the first partial derivative of four clients and of f along the diagonal for six kinds of heterogeneity."""
    figure = Figure(figsize=(style.WIDTH, 3.8), layout="constrained")
    panels = figure.subplots(2, 3)
    for axes, (dial, name) in zip(panels.flat, DIALS.items(), strict=True):
        problem = load_problem(name, N=4)
        x = np.linspace(-5, 5, 201)
        slopes = problem.exact_gradient(np.broadcast_to(x[:, None, None], (len(x), 4, problem.d)))[..., 0]
        for i, (each, colour) in enumerate(zip(slopes.T, COLOURS, strict=True)):
            dashes = (i * 2.0, (4.0, 2.0)) if i % 2 else "-"
            axes.plot(x, each, color=colour, linestyle=dashes, linewidth=0.9, label=f"client {i + 1}")
        axes.plot(x, slopes.mean(axis=1), color=style.BLACK, linewidth=1.6, label="average")
        axes.set_title(dial)
    handles, labels = panels[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5)
    return figure


def deviations(problem: Problem, x: np.ndarray, samples: int) -> np.ndarray:
    """Return g(x) - grad f_1(x) of samples that are the same at all x (points,): shape (samples, points, d)."""
    token = problem.sample(LaneStreams(1, NOISE, [(k,) for k in range(samples)]))
    found = []
    for z in x:
        here = np.full((samples, problem.N, problem.d), z)
        found.append((problem.gradient(here, None, token) - problem.exact_gradient(here))[:, 0])
    return np.stack(found, axis=1)


def noises() -> Figure:
    """Draw what samples add to one coordinate along the diagonal for each noise, and its deviation (dashed)."""
    figure = Figure(figsize=(style.WIDTH, 3.6), layout="constrained")
    panels = figure.subplots(2, 3, sharex=True)
    x = np.linspace(-6, 6, 145)
    for axes, kind in zip(panels.flat, NOISES, strict=True):
        sigma = 0.0 if kind == "dropout" else 1.0
        problem = load_problem(f"ridge-ratio[d=2,zeta=0,noise={kind},sigma={sigma:g}]", N=1)
        each = deviations(problem, x, 6 if kind == "phases" else 96)[..., 0]
        for i, wave in enumerate(np.unique(each.round(12), axis=0)):
            axes.plot(x, wave, color=COLOURS[i % 4], linewidth=0.9, zorder=3)
        bound = problem.constant("sigma") / np.sqrt(2)
        for side in (-1, 1):
            axes.axhline(side * bound, color=style.GREY, linestyle="--", linewidth=1.6, zorder=2)
        axes.set_title(kind)
    for axes in panels[1]:
        axes.set_xlabel("coordinate of x")
    for axes in panels[:, 0]:
        axes.set_ylabel("added to the gradient")
    return figure


def ridge() -> Figure:
    """Draw the portrait of a ridge whose clients and noise turn with x."""
    return portrait(load_problem("ridge-ratio-phases", N=3))


def chain() -> Figure:
    """Draw the hard function of a chain of two links: flat until the first coordinate is found."""
    problem = load_problem("chain[d=2]", N=1)
    grid = np.linspace(-2.2, 2.2, 81)
    first, second = np.meshgrid(grid, grid)
    f = problem.value(np.stack([first, second], axis=-1).reshape(-1, 1, 2)).reshape(first.shape)
    figure = Figure(figsize=(3.6, 2.9), layout="constrained")
    axes = figure.add_subplot()
    filled = axes.contourf(first, second, f, 10, cmap="cividis")
    figure.colorbar(filled, ax=axes, label="f")
    axes.plot(0, 0, "o", color=style.VERMILLION)
    axes.axvline(0.5, color="white", linestyle="--", linewidth=0.9)
    axes.set(xlabel="first coordinate", ylabel="second coordinate")
    axes.grid(visible=False)
    return figure


def chain_oracles() -> Figure:
    """Draw the sample that shows the next link against the coordinate after it, and what smoothness costs in odds."""
    figure = Figure(figsize=(style.WIDTH, 2.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    z = np.linspace(0, 0.7, 281)
    looks = (("zero-chain", style.VERMILLION, "--"), ("smooth-zero-chain", style.BLUE, "-"))
    for noise, colour, dashes in looks:
        problem = load_problem(f"chain[d=3,odds=4,noise={noise}]", N=1)
        x = np.stack([np.full_like(z, 2.0), np.zeros_like(z), z], axis=-1)
        shown = np.stack([problem.outcomes(point, 0)[0, 1] for point in x])
        left.plot(z, np.abs(shown), color=colour, linestyle=dashes, label=noise)
    left.set(xlabel="third coordinate", ylabel="second, of a sample")
    left.legend()
    odds = np.unique(np.geomspace(2, 1000, 30).round().astype(int))
    chains = [load_problem(f"chain[noise=smooth-zero-chain,odds={k}]", N=1) for k in odds]
    for letter, colour, dashes in (
        ("L_sample", style.BLACK, "--"),
        ("L_rms", style.BLUE, "-"),
        ("L", style.GREEN, "-."),
    ):
        right.loglog(odds, [each.constant(letter) for each in chains], color=colour, linestyle=dashes, label=letter)
    right.set(xlabel="odds")
    right.legend()
    return figure


def saddle() -> Figure:
    """Draw F(x, y), the ridge of best responses and Phi for a saddle with one x and one y."""
    problem = load_problem("ncsc-p1[d1=1,d2=1,zeta_pair=0,sigma=0]", N=1)
    grid = np.linspace(-4, 4, 61)
    x, y = np.meshgrid(grid, grid)
    F = problem.value(np.stack([x, y], axis=-1).reshape(-1, 1, 2)).reshape(x.shape)
    line = np.stack([grid, np.zeros_like(grid)], axis=-1)[:, None, :]
    best, phi = problem.best_response(line)[:, 0, 0], problem.envelope(line)
    figure = Figure(figsize=(style.WIDTH, 2.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    filled = left.contourf(x, y, F, 10, cmap="cividis")
    figure.colorbar(filled, ax=left, label="F(x, y)")
    left.plot(grid, best, color=style.VERMILLION, linestyle="--", linewidth=1.6, label="$y^*(x)$")
    left.legend(frameon=True, framealpha=0.9, edgecolor="none", loc="upper right")
    left.set(xlabel="x", ylabel="y", ylim=(-4, 4))
    left.grid(visible=False)
    right.plot(grid, phi, color=style.BLACK, label=r"$\Phi(x) = \max_y F(x, y)$")
    right.plot(grid, problem.value(line), color=style.BLUE, linestyle="--", label="$F(x, 0)$")
    right.set(xlabel="x")
    right.legend()
    return figure


DRAWINGS = {
    "links": links,
    "heterogeneity": dials,
    "noises": noises,
    "ridge-portrait": ridge,
    "chain": chain,
    "chain-oracles": chain_oracles,
    "saddle": saddle,
}
"""File name to drawing."""


def main(folder: Path = HERE) -> None:
    """Write the pictures; the same code writes the same bytes."""
    for name, draw in DRAWINGS.items():
        with mpl.rc_context({**style.RC, **SMALL}):
            save(draw(), folder / f"{name}.svg")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
