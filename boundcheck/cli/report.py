"""The command `report`: run a recipe and write the PDF."""

from __future__ import annotations

from pathlib import Path

from boundcheck.cli.options import DEFAULT_STORE, Output, Whole


def report(
    recipe: str = "overview",
    /,
    *,
    output: Output = None,
    store: Path = DEFAULT_STORE,
    workers: Whole | None = None,
    claims: bool = True,
) -> None:
    """Run what is missing of a recipe and write the PDF.

    Parameters
    ----------
    recipe
        Name of a recipe, or a path to a .toml file.
    store
        Folder of the results.
    workers
        Processes; by default one a core.
    claims
        Decide the claims too.
    """
    import os
    import sys

    from boundcheck.cli.progress import work
    from boundcheck.cli.sweep import swept
    from boundcheck.lemmas import prove
    from boundcheck.report import write_report
    from boundcheck.sweep import Store, load_recipe

    loaded = load_recipe(recipe)
    results = swept(recipe, store, workers)
    proofs = None
    if claims:
        with work("claims") as progress:
            cores = workers or os.cpu_count() or 1
            proofs = prove(loaded.claims, workers=cores, kept=True, progress=progress)
    target = output or Path(f"{Path(recipe).stem}.pdf")
    path = write_report(loaded, Store(store), target, claims=proofs, name=recipe, results=results)
    print(f"wrote {path}", file=sys.stderr)
