"""Results as data frames, for the reader's own analysis."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from boundcheck.errors import InputError, require
from boundcheck.files.atomic import whole

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import pandas as pd

    from boundcheck.evidence.checks.time_to_epsilon import TimeToEpsilon
    from boundcheck.sweep.results.results import StudyResult

T = TypeVar("T")
_FORMULAS = ("=", "+", "-", "@")
"""How a text begins that a spreadsheet runs."""


def verdict_table(results: Iterable[StudyResult]) -> pd.DataFrame:
    """Return one row a study, grid point and bound: the setting, what was measured, the right-hand side by term."""
    import pandas as pd

    rows = [
        {
            "study": result.study.id,
            "problem": result.study.problem,
            "bound": name,
            **point.setting,
            "verdict": v.verdict,
            "measured": v.measured,
            "low": v.low,
            "high": v.high,
            "rhs": v.rhs,
            "vacuity": v.vacuity,
            "margin": v.margin,
            "e_value": v.e_value,
            "capital": v.wealth,
            "replicates": v.replicates,
            "how": v.how,
            "settle": v.settle,
            "constant_at_least": v.constant_at_least,
            "reason": v.reason,
            **{f"term: {term}": value for term, value in v.terms.items()},
        }
        for result in results
        for point in result.points
        for name, v in point.verdicts.items()
    ]
    return pd.DataFrame(rows)


def curve_table(results: Iterable[StudyResult]) -> pd.DataFrame:
    """Return one row a study, grid point, method, metric, replicate and checkpoint: the measured curves."""
    import pandas as pd

    rows = [
        {
            "study": result.study.id,
            **point.setting,
            "method": label,
            "metric": measured.metrics[metric].label,
            "replicate": replicate,
            "round": int(rounds),
            "average": float(average),
            "instant": float(instant),
        }
        for result in results
        for point in result.points
        if point.measured is not None
        for label, measured in {"prescribed": point.measured, **point.compared}.items()
        for metric in measured.average
        for replicate, (averages, instants) in enumerate(
            zip(measured.average[metric], measured.instant[metric], strict=True)
        )
        for rounds, average, instant in zip(measured.rounds, averages, instants, strict=True)
    ]
    return pd.DataFrame(rows)


def exponent_table(results: Iterable[StudyResult]) -> pd.DataFrame:
    """Return one row a fit and local order: the fitted exponent with its promise, and the order between neighbours."""
    import pandas as pd

    rows = [
        {
            "study": result.study.id,
            "bound": result.study.bounds[0],
            **dict(fixed),
            "letter": fit.letter,
            "promised": fit.promised,
            "exponent": fit.exponent,
            "low": fit.low,
            "high": fit.high,
            "margin": fit.margin,
            "promise": fit.promise,
            "asymptotic": fit.asymptotic,
            "bound_order": fit.bound_order,
            "note": fit.note,
            "from": local.start,
            "to": local.stop,
            "order": local.order,
            "order_low": local.low,
            "order_high": local.high,
        }
        for result in results
        for fixed, fit in result.fits
        for local in fit.local_orders
    ]
    return pd.DataFrame(rows)


def time_table(results: Iterable[StudyResult]) -> pd.DataFrame:
    """Return one row a study, method, slice and accuracy; nothing that was not reached is dropped.

    ``relation`` is "=", "<=" (reached at the first horizon already) or ">=" (not within the budget); rounds, samples,
    exact gradients and floats carry it alike.  ``promised`` and ``exponent`` are powers p of eps^(-p) rounds.
    """
    import pandas as pd

    rows = [
        {
            "study": result.study.id,
            "label": item.label,
            "method": item.method,
            **dict(item.fixed),
            "epsilon": found.epsilon,
            "relation": found.relation,
            "rounds": found.rounds,
            "rounds_low": found.low,
            "rounds_high": found.high,
            **item.cost(found)._asdict(),
            **_fit_columns(item.times),
        }
        for result in results
        for item in result.times
        for found in item.times.reached
    ]
    return pd.DataFrame(rows)


def _fit_columns(times: TimeToEpsilon) -> dict[str, object]:
    fit = times.complexity
    if fit is None:
        return dict.fromkeys(("promised", "exponent", "exponent_low", "exponent_high", "promise", "note"))
    return {
        "promised": fit.promised,
        "exponent": fit.exponent,
        "exponent_low": fit.low,
        "exponent_high": fit.high,
        "promise": fit.promise,
        "note": fit.note,
    }


def require_table(path: Path, name: str = "table") -> None:
    """Refuse, under the argument's name, a file that `write_table` cannot write.

    Raises
    ------
    InputError
        If it ends in neither .csv nor .parquet, or is parquet and the library for it is not installed.
    """
    require(path.suffix in {".csv", ".parquet"}, name, str(path), "a file ending in .csv or .parquet")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        msg = f"{name} = {str(path)!r}: a .parquet file needs pyarrow: pip install 'boundcheck[parquet]'"
        raise InputError(msg)


def write_table(frame: pd.DataFrame, path: Path) -> None:
    """Write a data frame as CSV or parquet, by the file's ending; in CSV no text is a formula of a spreadsheet.

    Raises
    ------
    InputError
        As `require_table`.
    """
    require_table(path)
    with whole(path) as file:
        if path.suffix == ".csv":
            texts = [name for name, kind in frame.dtypes.items() if kind.kind not in "biufM"]
            plain = frame.assign(**{str(name): frame[name].map(quote_formula) for name in texts})
            plain.rename(columns=quote_formula).to_csv(file, index=False)
        else:
            frame.to_parquet(file, index=False)


def quote_formula(value: T) -> T | str:
    """Return a value of a CSV file; a text that a spreadsheet would run as a formula has an apostrophe before it.

    Numbers stay numbers, those that are written as text too.
    """
    if not isinstance(value, str) or not value.lstrip().startswith(_FORMULAS) or _is_number(value):
        return value
    return f"'{value}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
