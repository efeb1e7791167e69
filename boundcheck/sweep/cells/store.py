"""Results on disk: one file of arrays a cell, written whole or not at all, and read only as what it was written for."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from boundcheck.engine.run import Run, checkpoints
from boundcheck.errors import InputError
from boundcheck.files.atomic import whole
from boundcheck.files.plain import bytes_of_kept_file
from boundcheck.sweep.cells.arrays import SUFFIX, DamagedFileError, read_arrays, write_arrays
from boundcheck.sweep.cells.aside import set_aside
from boundcheck.sweep.cells.identity import identity
from boundcheck.sweep.cells.index import Index, stamp

if TYPE_CHECKING:
    from collections.abc import Callable

    from boundcheck.metrics import Metric
    from boundcheck.problems.base import Array, Indices
    from boundcheck.sweep.cells.cells import Cell

Read = TypeVar("Read")
_ROUNDS = "round"
_SMALL = 2_000
"""Most numbers of a result that is kept in memory."""
REASONS = {
    "damaged": "it is truncated or damaged",
    "foreign": "boundcheck did not write it",
    "old": "it does not say which code wrote it",
    "schema": "it was written with another schema",
    "id": "it is the result of another cell",
    "code": "the code of the engine, the method or the problem has changed since",
    "versions": "it was written with other versions of Python or of the libraries",
}
"""Why a file is not the result of a cell, by the word that becomes part of its name."""


class _Unusable(Exception):
    """A file that is not the result of the cell; its argument is the reason."""


@dataclass(frozen=True)
class CellResult:
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
    """A folder of result files.

    A file counts only as the result of the cell, the code and the versions that its header names, and only if every
    number in it is the one that was written.  Any other file is set aside under a name of its own, never overwritten,
    and its cell counts as missing.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.index = Index(self.folder)
        self._known: dict[str, CellResult] = {}

    def __reduce__(self) -> tuple[type[Store], tuple[Path]]:
        """Travel between processes as a folder, without what was read of it."""
        return type(self), (self.folder,)

    def path(self, cell: Cell) -> Path:
        """Return the file of a cell."""
        return self.folder / f"{cell.id}{SUFFIX}"

    def has(self, cell: Cell) -> bool:
        """Return whether the cell is done; a file that is not its result is set aside.

        Raises
        ------
        InputError
            If a file cannot be read or set aside because the system refuses.
        """
        path = self.path(cell)
        # A file that was sound, and has not been written since, is not read again.
        if (found := stamp(path)) is None or self.index.has(cell, found):
            return found is not None
        try:
            self._keep(cell, _read_result(path, cell))
        except FileNotFoundError:
            return False
        except _Unusable as error:
            set_aside(path, str(error))
            return False
        self.index.add(cell, found)
        return True

    def _keep(self, cell: Cell, measured: CellResult) -> CellResult:
        """Remember a small result: tuning reads the same ones again and again."""
        if sum(v.size for v in measured.average.values()) <= _SMALL:
            self._known[cell.id] = measured
        return measured

    def write(self, cell: Cell, run: Run, rows: slice) -> None:
        """Write the lanes `rows` of a run as the result of `cell`, after those that it has already.

        Raises
        ------
        InputError
            As `read`, of the earlier result.
        """
        arrays, backends = _arrays(cell, run, rows), [run.backend]
        if cell.after:
            before, header = self._usable(_check_file, cell.earlier)
            joined = {name: np.concatenate([before[name], new]) for name, new in arrays.items() if name != _ROUNDS}
            arrays |= joined
            backends = list(dict.fromkeys([*header["backend"].split(", then "), run.backend]))
        # What computed it is said, not compared: backends agree to rounding, so that either's result is the cell's.
        header = {**identity(cell), "cell": cell.content, "backend": ", then ".join(backends)}
        header["digest"] = _digest(header, arrays)
        with whole(self.path(cell)) as file:
            write_arrays(file, header, arrays)
        if (found := stamp(self.path(cell))) is not None:
            self.index.add(cell, found)

    def read(self, cell: Cell) -> CellResult:
        """Read the result of a cell.

        Raises
        ------
        InputError
            If there is none, or what is there is not the result of this cell under this code (it is set aside).
        """
        found = stamp(self.path(cell))
        if cell.id in self._known and found is not None and self.index.has(cell, found):
            return self._known[cell.id]
        return self._keep(cell, self._usable(_read_result, cell))

    def _usable(self, reading: Callable[[Path, Cell], Read], cell: Cell) -> Read:
        """Return what a file says, or say why it cannot be used."""
        path = self.path(cell)
        try:
            return reading(path, cell)
        except FileNotFoundError:
            msg = f"{path}: no result for this cell yet; run the sweep first"
        except _Unusable as error:
            moved = set_aside(path, str(error))
            msg = f"{path}: {REASONS[str(error)]}; set aside as {moved.name}, run the sweep again"
        raise InputError(msg)


def _arrays(cell: Cell, run: Run, rows: slice) -> dict[str, Array | Indices]:
    """Return replicates and rounds, metrics as (replicates, points) and quantities as (replicates,)."""
    within = np.isin(run.checkpoints, checkpoints(np.array([cell.setting.T]), cell.points))
    rounds = run.checkpoints[within]
    shape = (len(cell.lanes), len(rounds))
    arrays: dict[str, Array | Indices] = {"replicate": np.asarray(cell.lanes), _ROUNDS: rounds}
    for metric in cell.metrics:
        arrays[f"{metric.label}/average"] = run.curves[metric.name][rows][:, within].reshape(shape)
        arrays[f"{metric.label}/instant"] = run.instant[metric.name][rows][:, within].reshape(shape)
    for name in cell.quantities:
        arrays[f"{name}/worst"] = run.worst[name][rows]
    return arrays


def _digest(header: dict[str, Any], arrays: dict[str, Array | Indices]) -> str:
    """Return a hash of a header without its digest, and of every name, type, shape and number of the arrays."""
    plain = {key: value for key, value in header.items() if key != "digest"}
    found = hashlib.sha256(json.dumps(plain, sort_keys=True).encode())
    for name, values in arrays.items():
        found.update(f"\0{name}\0{values.dtype.str}\0{values.shape}\0".encode() + values.tobytes())
    return found.hexdigest()


def _check_file(path: Path, cell: Cell) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the arrays of a file and its header, if it is the result of `cell`."""
    try:
        arrays, header = read_arrays(_content(path))
    except DamagedFileError:
        raise _Unusable("damaged") from None
    if not isinstance(header, dict) or "schema" not in header:
        raise _Unusable("foreign")
    _compare(header, identity(cell))
    if header.get("digest") != _digest(header, arrays):
        raise _Unusable("damaged")
    return arrays, header


def _read_result(path: Path, cell: Cell) -> CellResult:
    """Return what a file says, if it is the result of `cell`."""
    arrays, _ = _check_file(path, cell)
    return CellResult(
        arrays[_ROUNDS],
        {m.name: m for m in cell.metrics},
        {m.name: arrays[f"{m.label}/average"] for m in cell.metrics},
        {m.name: arrays[f"{m.label}/instant"] for m in cell.metrics},
        {name: float(arrays[f"{name}/worst"].max()) for name in cell.quantities},
    )


def _content(path: Path) -> bytes:
    try:
        return bytes_of_kept_file(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        msg = f"{path}: cannot be read: {error.strerror or error}"
        raise InputError(msg) from error


def _compare(header: dict[str, Any], wanted: dict[str, object]) -> None:
    if not {"id", "code", "versions"} <= header.keys():
        raise _Unusable("old")
    for key, value in wanted.items():
        if header.get(key) != value:
            raise _Unusable(key)
