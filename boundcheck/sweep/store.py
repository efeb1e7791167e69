"""Results on disk: one parquet file a cell, written whole or not at all."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.atomic import whole
from boundcheck.engine.run import Run, checkpoints
from boundcheck.errors import InputError
from boundcheck.sweep.cells import SCHEMA, Cell

if TYPE_CHECKING:
    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices


@dataclass(frozen=True)
class Measured:
    """What was measured in one cell."""

    rounds: Indices
    """Checkpoints (points,), the horizon last."""
    metrics: dict[str, Metric]
    """What was measured, by name."""
    average: dict[str, Array]
    """Metric to running averages (replicates, points)."""
    instant: dict[str, Array]
    """Metric to values at the checkpoints (replicates, points)."""
    worst: dict[str, float] = dataclasses.field(default_factory=dict)
    """Quantity of the run to its largest value over rounds and replicates."""

    def final(self, metric: str) -> Array:
        """Return the metric averaged over the whole run, (replicates,)."""
        values: Array = self.average[metric][:, -1]
        return values


class Store:
    """A folder of result files."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def path(self, cell: Cell) -> Path:
        """Return the file of a cell."""
        return self.folder / f"{cell.id}.parquet"

    def has(self, cell: Cell) -> bool:
        """Return whether the cell is done."""
        return self.path(cell).is_file()

    def write(self, cell: Cell, run: Run, rows: slice) -> None:
        """Write the lanes `rows` of a run as the result of `cell`."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        within = np.isin(run.checkpoints, checkpoints(np.array([cell.setting.T]), cell.points))
        rounds = run.checkpoints[within]
        shape = (cell.replicates, len(rounds))
        columns: dict[str, Array | Indices] = {
            "replicate": np.repeat(np.arange(cell.replicates), len(rounds)),
            "round": np.tile(rounds, cell.replicates),
        }
        for metric in cell.metrics:
            columns[f"{metric.label}/average"] = run.curves[metric.name][rows][:, within].reshape(shape).ravel()
            columns[f"{metric.label}/instant"] = run.instant[metric.name][rows][:, within].reshape(shape).ravel()
        for name in cell.quantities:
            columns[f"{name}/worst"] = np.repeat(run.worst[name][rows], len(rounds))
        header = {"boundcheck": json.dumps({"schema": SCHEMA, "cell": cell.content}, sort_keys=True)}
        table = pa.table(columns).replace_schema_metadata(header)
        with whole(self.path(cell)) as file:
            pq.write_table(table, file)

    def read(self, cell: Cell) -> Measured:
        """Read the result of a cell.

        Raises
        ------
        InputError
            If the file is missing, cannot be read, or was written for another schema.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.path(cell)
        try:
            table = pq.read_table(path)
            header = json.loads(table.schema.metadata[b"boundcheck"])
        except FileNotFoundError:
            msg = f"{path}: no result for this cell yet; run the sweep first"
            raise InputError(msg) from None
        except (pa.ArrowInvalid, OSError, KeyError, TypeError, ValueError):
            msg = f"{path}: not a readable result file (truncated?); delete it and run the sweep again"
            raise InputError(msg) from None
        if header["schema"] != SCHEMA:
            msg = (
                f"{path}: written with schema {header['schema']}, this version reads {SCHEMA}; delete it and run again"
            )
            raise InputError(msg)
        shape = (cell.replicates, -1)
        column = {name: table[name].to_numpy().reshape(shape) for name in table.column_names}
        return Measured(
            column["round"][0],
            {m.name: m for m in cell.metrics},
            {m.name: column[f"{m.label}/average"] for m in cell.metrics},
            {m.name: column[f"{m.label}/instant"] for m in cell.metrics},
            {name: float(column[f"{name}/worst"].max()) for name in cell.quantities},
        )
