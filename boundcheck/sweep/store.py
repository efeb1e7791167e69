"""Results on disk: one parquet file a cell, written whole or not at all."""

from __future__ import annotations

import dataclasses
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from boundcheck.engine.run import Run, checkpoints
from boundcheck.errors import InputError
from boundcheck.sweep.cells import SCHEMA, Cell

if TYPE_CHECKING:
    from boundcheck.problems.base import Array, Indices


@dataclass(frozen=True)
class Measured:
    """What was measured in one cell."""

    rounds: Indices
    """Checkpoints (points,), the horizon last."""
    average: dict[str, Array]
    """Metric to running averages (replicates, points)."""
    instant: dict[str, Array]
    """Metric to values at the checkpoints (replicates, points)."""
    worst: dict[str, float] = dataclasses.field(default_factory=dict)
    """Quantity of the run to its largest value over rounds and replicates."""

    def final(self, metric: str) -> Array:
        """Return the metric averaged over the whole run, (replicates,); its name may leave out the weights' growth."""
        full = metric if metric in self.average else next(m for m in self.average if m.startswith(f"{metric}("))
        values: Array = self.average[full][:, -1]
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
        """Write the lanes `rows` of a run as the result of `cell`: to a temporary name first, then renamed."""
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
            columns[f"{metric}/average"] = run.curves[metric][rows][:, within].reshape(shape).ravel()
            columns[f"{metric}/instant"] = run.instant[metric][rows][:, within].reshape(shape).ravel()
        for name in cell.quantities:
            columns[f"{name}/worst"] = np.repeat(run.worst[name][rows], len(rounds))
        header = {"boundcheck": json.dumps({"schema": SCHEMA, "cell": cell.content}, sort_keys=True)}
        table = pa.table(columns).replace_schema_metadata(header)
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path(cell)
        temporary = path.with_suffix(f".{os.getpid()}.tmp")
        pq.write_table(table, temporary)
        temporary.replace(path)

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
            {m: column[f"{m}/average"] for m in cell.metrics},
            {m: column[f"{m}/instant"] for m in cell.metrics},
            {name: float(column[f"{name}/worst"].max()) for name in cell.quantities},
        )
