"""The files that `sweep` writes beside what it prints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boundcheck.cli.shared.running import require_output

if TYPE_CHECKING:
    from boundcheck.sweep import Contests, Recipe, StudyResult


@dataclass(frozen=True)
class Outputs:
    """Files to write.

    Parameters
    ----------
    table
        Also write every verdict to this .csv or .parquet file.
    curves
        Also write every measured curve to this .csv or .parquet file.
    summary
        Also write one verdict and the counts of cells for every explicit bound (of a recipe of experiments: of answers
        for every assertion, and what every entrant spent to the last accuracy) to this JSON file.
    times
        Also write rounds, samples and floats to every accuracy (key epsilons) to this .csv or .parquet file.
    exponents
        Also write every fitted exponent and local order to this .csv or .parquet file.
    answers
        Also write every answer on experiments, with its interval, to this .csv or .parquet file.
    scores
        Also write the tuned values and the score of every entrant to this .csv or .parquet file.
    """

    table: Path | None = None
    curves: Path | None = None
    summary: Path | None = None
    times: Path | None = None
    exponents: Path | None = None
    answers: Path | None = None
    scores: Path | None = None

    def require(self) -> None:
        """Refuse, before hours of work, what could not be written after them.

        Raises
        ------
        InputError
            If a file has another ending, or cannot be written, by the system or for want of a library.
        """
        from boundcheck.sweep.results.table import require_table

        for name in ("table", "curves", "times", "exponents", "answers", "scores"):
            if path := getattr(self, name):
                require_output(path, f"--{name}", ".csv", ".parquet")
                require_table(path, f"--{name}")
        require_output(self.summary, "--summary")

    def write(self, recipe: Recipe, results: list[StudyResult], held: Contests) -> None:
        """Write what was asked for."""
        import boundcheck.sweep as sweep

        if self.summary:
            told = sweep.summary(results, recipe.alpha) | sweep.verdicts(held) | sweep.standings(held)
            sweep.write_summary(told, self.summary)
        of_studies = (
            (self.table, sweep.verdict_table),
            (self.curves, sweep.curve_table),
            (self.times, sweep.time_table),
            (self.exponents, sweep.exponent_table),
        )
        for path, rows_of in of_studies:
            if path:
                sweep.write_table(rows_of(results), path)
        for path, told_of in ((self.answers, sweep.answer_table), (self.scores, sweep.score_table)):
            if path:
                sweep.write_table(told_of(held), path)


NONE = Outputs()
"""No files."""
