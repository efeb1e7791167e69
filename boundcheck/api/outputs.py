"""What runs recipes and writes files: sweeps, reports, files to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from boundcheck.api.results import Results
from boundcheck.errors import require

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boundcheck.sweep import Recipe, StudyResult
    from boundcheck.workers.progress import Progress


STORE = Path("boundcheck-results")
"""Folder of the results."""
KINDS = {
    "theorem": "theorem.py",
    "method": "method.py",
    "problem": "problem.py",
    "claim": "claim.toml",
    "adapter": "adapter.py",
    "recipe": "recipe.toml",
}
"""What there is a beginning for, and the file that is copied."""


def sweep(
    recipe: str | Path,
    *,
    store: str | Path = STORE,
    workers: int | None = None,
    backend: Literal["auto", "numpy", "jax"] = "auto",
    trust_code: bool = False,
    set_: Mapping[str, Sequence[Any]] | None = None,
    quick: bool = False,
    ask: Sequence[str] | None = None,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Results[StudyResult]:
    """Run what is missing of a recipe and return what its studies say.

    Parameters
    ----------
    recipe : str or Path
        Name of a recipe, or a path to a .toml file.
    store : str or Path
        Folder of the results; a second run does only what is missing.
    workers : int, optional
        Processes; by default one a core.
    backend : str
        What computes: "numpy", "jax", or "auto".
    trust_code : bool
        Let the recipe run the code that it names.
    set_ : mapping, optional
        Values of a hyperparameter in place of those of every entrant that has it.
    quick : bool
        Experiments at a quarter of their rounds, with few runs.
    ask : sequence of str, optional
        Ids of the assertions that are asked, all when left out; only their experiments run.
    seed : int, optional
        Root seed in place of the recipe's: methods are tuned anew, and all runs are new ones.
    progress : callable, optional
        Called with (cells done, cells, share of the work).

    Returns
    -------
    Results of StudyResult
        Verdicts by bound: ``result.verdict(name)``; tables: `boundcheck.sweep.verdict_table` and its neighbours.

    Raises
    ------
    InputError
        If the recipe is not legal, or has no studies.

    Examples
    --------
    >>> import boundcheck as bc
    >>> found = bc.sweep("complexity", store="results")  # doctest: +SKIP
    """
    from boundcheck.files.own import following
    from boundcheck.sweep import Store, run_and_collect
    from boundcheck.sweep.experiments.reading import data_file

    loaded = loaded_recipe(recipe, trust_code=trust_code, set_=set_, quick=quick, ask=ask, seed=seed)
    some = bool(loaded.study or loaded.experiment)
    require(some, "recipe", str(recipe), "a recipe with studies to run; this one is for report")
    with following(data_file(loaded, str(recipe)), trusted=trust_code):
        found = run_and_collect(
            loaded, Store(Path(store).absolute()), workers=workers, progress=progress, backend=backend
        )
    return Results(found, str(recipe))


def loaded_recipe(
    recipe: str | Path,
    *,
    trust_code: bool,
    set_: Mapping[str, Sequence[Any]] | None = None,
    quick: bool = False,
    ask: Sequence[str] | None = None,
    seed: int | None = None,
) -> Recipe:
    """Return a recipe by name or path: some of its assertions, at another seed, with other values, its smaller form."""
    from boundcheck.sweep import load_recipe, with_assertions, with_seed, with_values
    from boundcheck.sweep import quick as smaller

    loaded = load_recipe(str(recipe), trust_code=trust_code)
    loaded = with_assertions(loaded, ask) if ask else loaded
    values = {name: list(one) for name, one in (set_ or {}).items()}
    loaded = with_values(loaded if seed is None else with_seed(loaded, seed), values)
    return smaller(loaded) if quick else loaded


def report(
    recipe: str | Path = "overview",
    *,
    output: str | Path | None = None,
    html: str | Path | None = None,
    store: str | Path = STORE,
    workers: int | None = None,
    trust_code: bool = False,
    claims: bool = True,
    quick: bool = False,
    progress: Progress | None = None,
) -> list[Path]:
    """Run what is missing of a recipe and write the PDF, a page in one HTML file, or both.

    Parameters
    ----------
    recipe : str or Path
        Name of a recipe, or a path to a .toml file.
    output, html : path, optional
        The PDF, by default the recipe's name unless a page is asked for; the page in one file.
    store : str or Path
        Folder of the results.
    workers : int, optional
        Processes; by default one a core.
    trust_code, quick
        As for `sweep`.
    claims : bool
        Decide the claims too: those that the recipe names, or else those of its bounds with their steps.
    progress : callable, optional
        Called with (cells done, cells, share of the work).

    Returns
    -------
    list of Path
        What was written.

    Raises
    ------
    InputError
        If the recipe is not legal, or a file cannot be written.

    Examples
    --------
    >>> import boundcheck as bc
    >>> bc.report("overview", output="overview.pdf")  # doctest: +SKIP
    """
    from boundcheck.files.atomic import require_writable
    from boundcheck.proofs import prove
    from boundcheck.report import write_report
    from boundcheck.sweep import Store

    require(isinstance(recipe, (str, Path)), "recipe", recipe, "the name of a recipe, or a path to one")
    pdf = output or (None if html else f"{Path(recipe).stem}.pdf")
    targets = [Path(target) for target in (pdf, html) if target is not None]
    for target, ending in zip(targets, [e for e, t in ((".pdf", pdf), (".html", html)) if t], strict=True):
        require(target.suffix == ending, "output", str(target), f"a file ending in {ending}")
        require_writable(target)
    loaded = loaded_recipe(recipe, trust_code=trust_code, quick=quick)
    found = sweep(recipe, store=store, workers=workers, trust_code=trust_code, quick=quick, progress=progress)
    proofs = prove(claims_of(loaded), workers=workers or 1, kept=True) if claims else None
    results = Store(Path(store).absolute())
    options: dict[str, Any] = {"claims": proofs, "name": str(recipe), "results": list(found)}
    return [write_report(loaded, results, target, **options) for target in targets]


def claims_of(recipe: Recipe) -> list[str] | None:
    """Return the claims that a report of this recipe decides; None for all."""
    from boundcheck.bounds import BOUNDS
    from boundcheck.proofs import CLAIMS
    from boundcheck.proofs.ledger.tree import with_steps

    if recipe.claims is not None or recipe.promises or not recipe.study:
        return recipe.claims
    names = {name for study in recipe.study for name in study.bounds}
    refuting = {claim for name in names for claim in BOUNDS[name].refuted_by}
    return list(with_steps(CLAIMS, [claim for claim in CLAIMS if claim in names | refuting]))


def new(
    kind: Literal["theorem", "method", "problem", "claim", "adapter", "recipe"],
    file: str | Path,
    *,
    latex: str | None = None,
) -> Path:
    r"""Write a commented file that runs: a theorem, a method, a problem, lemmas, code or a recipe to change.

    Parameters
    ----------
    kind : str
        What to begin: "theorem", "method", "problem", "claim", "adapter" (code that may be a published method), or
        "recipe" (what a report runs).
    file : str or Path
        Where to write it; a file that exists is never overwritten.
    latex : str, optional
        Begin a theorem from a printed line, ``LHS \le RHS``, or a .tex file; what it does not say is marked ASK.

    Returns
    -------
    Path

    Raises
    ------
    InputError
        If the kind or the file is not legal, or the line cannot be read.

    Examples
    --------
    >>> import boundcheck as bc
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = bc.new("claim", pathlib.Path(folder) / "mine.toml")
    ...     [one["verdict"] for one in bc.prove(file)]
    ['proved', 'proved', 'proved', 'proved', 'proved']
    """
    from boundcheck import skeletons
    from boundcheck.files.atomic import write_whole

    require(kind in KINDS, "kind", kind, ", ".join(KINDS))
    require(isinstance(file, (str, Path)), "file", file, "a path")
    path = Path(file)
    if latex is not None:
        from boundcheck.skeletons.drafting import write_draft

        require(kind == "theorem", "latex: kind", kind, "theorem")
        write_draft(path, latex)
        return path
    source = Path(skeletons.__file__).parent / KINDS[kind]
    require(path.suffix == source.suffix, "file", str(path), f"a path ending in {source.suffix}")
    require(not path.exists(), "file", str(path), "a file that does not exist yet")
    write_whole(path, source.read_text(encoding="utf-8").replace("FILE", str(path)))
    return path
