"""A recipe: which bounds and methods to run on which problems, over which grids."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from boundcheck.engine.exact import PATHS
from boundcheck.limits import LEAST_ALPHA
from boundcheck.sweep.recipes.assertion import Assertion
from boundcheck.sweep.recipes.experiment import Experiment
from boundcheck.sweep.recipes.fields import Count, Number, Positive, Replicates

if TYPE_CHECKING:
    from collections.abc import Iterator


class ComparedMethod(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A method that runs beside the bounds, at hyperparameters of the user's choice."""

    method: str
    hyper: dict[str, Number] = {}
    powers: dict[str, float] = {}
    """Powers of T that multiply hyperparameters: steps set from the horizon; counts are rounded up."""
    decays: list[float] = []
    """Powers p of the terms T^(-p) that are promised for this method, for its time to epsilon."""
    label: str = ""

    @property
    def name(self) -> str:
        """What tables and times call it: its label, or else the method."""
        return self.label or self.method


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One grid on one problem."""

    id: str
    title: str
    problem: str
    bounds: list[str]
    """The first bound prescribes the parameters; the others are evaluated at them."""
    N: list[Count]
    K: list[Count]
    T: list[Count]
    S: list[Count] | None = None
    """Active clients; all when left out."""
    b: Count = 1
    parameters: dict[str, Number | list[Number]] = {}
    """Problem parameters; a list is one more axis of the grid."""
    overrides: dict[str, float] = {}
    """Parameters of the bound to use in place of the prescribed ones."""
    zip: bool = False
    """Run lists of equal length side by side rather than as a product."""
    fit: list[str] = []
    """Letters along which to fit exponents."""
    epsilons: list[Positive] = []
    """Accuracies of the gradient norm whose first horizon is looked for along T."""
    compare: list[ComparedMethod] = []
    overlays: list[str] = msgspec.field(default_factory=list, name="beside")
    """Rates whose slopes are drawn beside the measurements."""
    text: str = ""
    """What the reader should look for."""
    reading: str = ""
    """For a finding: what a reader may have misread, and whether that saves the statement."""
    equation: str = ""
    """For a finding: equation, lemma or section of the paper, in its own numbers."""
    fixed: str = ""
    """For a finding: what becomes of the statement when the problem does not change with the horizon."""
    brief: bool = False
    """Whether the theorem shares a page of a report with others."""
    script: str = ""
    """For a finding: a script that shows it without boundcheck."""
    repairs: str = ""
    """For a repair: the study of the finding whose instances it runs on."""


class FindingReference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A finding of the recipe `findings`, with what repairs it, that another recipe runs too."""

    id: str
    first: Count | None = None
    """Points of its lists that are run, from the first on; all when left out."""


class Story(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A thing to take away from a report: a sentence or two and a small picture."""

    title: str
    text: str
    picture: Literal["heterogeneity", "steps", "speed-up"]
    """What is drawn of the studies: a side against zeta, the gain of compared steps, the fitted power of N."""
    studies: list[str]


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sweep or a report."""

    title: str
    study: list[Study] = []
    finding: list[FindingReference] = []
    """Findings that are taken over; they stand behind the recipe's own studies."""
    story: list[Story] = []
    experiment: list[Experiment] = []
    assertion: list[Assertion] = []
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    replicates: Replicates = 16
    budget: Replicates | None = None
    """Replicates up to which undecided cells are run again, doubling; as many as `replicates` when left out."""
    paths: Annotated[int, msgspec.Meta(ge=0, le=10**6)] = PATHS
    """Paths of a run up to which its expectation is enumerated for the verdict; 0 never."""
    alpha: Annotated[float, msgspec.Meta(ge=LEAST_ALPHA, lt=1)] = 0.05
    points: Annotated[int, msgspec.Meta(ge=1, le=100)] = 8
    """Checkpoints a decade of rounds."""
    promises: bool = False
    """Whether a report says of every registered bound what it promises and whether it can keep it."""
    asserted: bool = False
    """Whether a report shows the shipped verdicts on what papers assert of their experiments."""
    rates: list[str] = []
    """Studies whose curves along T a report also sets side by side on one page."""
    tables: list[str] = []
    """Comparison tables of papers that a report shows whole."""
    claims: list[str] | None = None
    """Claims that a report decides; all when left out."""
    ledger: Literal["full", "refuted"] = "full"
    """Whether a report shows every claim with witnesses, or counts, statements and refuted claims."""
    text: str = ""


def axes_of(study: Study | Experiment) -> dict[str, list[Number]]:
    """Return the axes of a grid: settings first (the problem, where there are several), then problem parameters."""
    axes: dict[str, list[Number]] = {"N": list(study.N), "K": list(study.K), "T": list(study.T)}
    if isinstance(study, Experiment):
        axes = {"problem": [*study.problems], **axes}
    if study.S is not None:
        axes["S"] = list(study.S)
    for name, value in study.parameters.items():
        axes[name] = value if isinstance(value, list) else [value]
    return axes


def size(study: Study | Experiment) -> int:
    """Return the number of grid points of a study or an experiment, without making them."""
    lengths = [len(values) for values in axes_of(study).values()]
    return max(lengths) if study.zip else math.prod(lengths)


def settings(study: Study | Experiment) -> Iterator[dict[str, Number]]:
    """Yield the grid points of a study or an experiment."""
    axes = axes_of(study)
    if not study.zip:
        for values in itertools.product(*axes.values()):
            yield dict(zip(axes, values, strict=True))
        return
    length = max(len(values) for values in axes.values())
    for i in range(length):
        yield {name: values[i if len(values) > 1 else 0] for name, values in axes.items()}
