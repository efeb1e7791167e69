"""The command `report`: run a recipe and write the PDF, the HTML page, or both."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.cli.shared.running import (
    RunPlan,
    executor,
    predict,
    recipe_of,
    require_output,
    require_runnable,
    sweep_recipe,
)
from boundcheck.cli.terminal.options import (
    DEFAULT_STORE,
    DryRun,
    Json,
    Output,
    Page,
    Quick,
    RecipeName,
    TrustCode,
    Whole,
    Yes,
)
from boundcheck.cli.terminal.output import note, print_json
from boundcheck.files.own import following

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.proofs import Proof
    from boundcheck.sweep.recipes.recipe import Recipe
    from boundcheck.sweep.run.crew import Crew


def report(
    recipe: RecipeName = "overview",
    /,
    *,
    output: Output = None,
    html: Page = None,
    store: Path = DEFAULT_STORE,
    workers: Whole | None = None,
    dask: str | None = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    trust_code: TrustCode = False,
    claims: bool = True,
    quick: Quick = False,
    json: Json = False,
) -> None:
    """Run what is missing of a recipe and write the PDF, or with --html a page that has all details.

    Parameters
    ----------
    recipe
        Name of a recipe, or a path to a .toml file.
    store
        Folder of the results.
    workers
        Processes; by default one a core.
    dask
        Address of a Dask scheduler to run on in place of local processes.
    claims
        Decide the claims too: those that the recipe names, or else those of its bounds with their steps.
    """
    from boundcheck.sweep.experiments.reading import data_file

    loaded = recipe_of(recipe, quick=quick, trust_code=trust_code)
    targets = _targets(output, html, recipe)
    plan = RunPlan(store=store, workers=workers, dask=dask, yes=yes)
    with following(data_file(loaded, recipe), trusted=trust_code):
        made = _make_report(loaded, recipe, plan, targets, claims=claims, quick=quick, dry_run=dry_run, json=json)
    if json and made:
        print_json(made)


def _make_report(
    loaded: Recipe,
    recipe: str,
    plan: RunPlan,
    targets: list[Path],
    *,
    claims: bool,
    quick: bool,
    dry_run: bool,
    json: bool,
) -> list[dict[str, Any]]:
    """Write the files of a report and return which, or only say how much work they would be."""
    from boundcheck.files.atomic import write_whole
    from boundcheck.report import again

    if dry_run:
        predict(loaded, recipe, plan, json=json)
        return []
    require_runnable(loaded, recipe, plan)
    key = again.request_hash(recipe, plan.store, claims=claims, quick=quick)
    known = {target: again.written_before(recipe, target.suffix, key) for target in targets}
    left = [target for target, content in known.items() if content is None]
    if left:
        _write(loaded, recipe, plan, left, claims=claims)
        key = again.request_hash(recipe, plan.store, claims=claims, quick=quick)
    for target, content in known.items():
        if content is None:
            again.keep(recipe, target.suffix, key, target)
        else:
            write_whole(target, content)
        note(f"wrote {target}{'' if content is None else ', as before: nothing has changed'}")
    return [{"file": str(target), "unchanged": content is not None} for target, content in known.items()]


def _write(loaded: Recipe, recipe: str, plan: RunPlan, targets: list[Path], *, claims: bool) -> None:
    """Run what is missing, decide the claims and write the files, in one crew of processes."""
    from boundcheck.api.outputs import claims_of
    from boundcheck.report import write_report
    from boundcheck.report.pages.figure import drawn_by
    from boundcheck.sweep import Store
    from boundcheck.sweep.run.crew import Crew

    results = Store(plan.store.absolute())
    with executor(plan.dask, results.folder) as given, Crew(plan.workers, given) as crew:
        decided = _deciding(claims_of(loaded), crew) if claims else None
        found = sweep_recipe(loaded, recipe, plan, crew)
        proofs = decided() if decided else None
        with drawn_by(crew):
            for target in targets:
                write_report(loaded, results, target, claims=proofs, name=recipe, results=found, keep=True)


def _targets(output: Path | None, html: Path | None, recipe: str) -> list[Path]:
    """Return the files to write: the page alone where only that is asked for."""
    pdf = output or (None if html else Path(f"{Path(recipe).stem}.pdf"))
    require_output(pdf, "output", ".pdf")
    require_output(html, "html", ".html")
    return [target for target in (pdf, html) if target is not None]


def _deciding(claims: list[str] | None, crew: Crew) -> Callable[[], list[Proof]]:
    """Have a crew decide claims, unless an earlier run has, and return what returns them."""
    from boundcheck.cli.terminal.progress import work
    from boundcheck.proofs.ledger.decided import decided_before, keep_decided
    from boundcheck.sweep.run.deciding import Deciding

    before = decided_before(claims)
    if before is not None:
        return lambda: before
    deciding = Deciding(crew, claims)

    def decide() -> list[Proof]:
        with work("claims") as progress:
            proofs = deciding.proofs(progress)
        keep_decided(claims, proofs)
        return proofs

    return decide
