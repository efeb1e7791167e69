"""What several answers come in: a tuple that shows itself briefly, and becomes a DataFrame, plain data or a picture."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, TypeVar

from boundcheck.files.display import brief, html_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

    import pandas as pd

    from boundcheck.evidence import Shape, Verdict  # noqa: F401

T = TypeVar("T")


class Results(tuple[T, ...]):
    """Several answers of one kind, in their order.

    Attributes
    ----------
    about : str
        What was asked.
    """

    about: str

    def __new__(cls, found: Iterable[T], about: str = "") -> Self:
        """Make it of the answers and what was asked."""
        made = super().__new__(cls, found)
        made.about = about
        return made

    def __getnewargs__(self) -> tuple[tuple[T, ...], str]:
        """Travel between processes by what it was made from."""
        return tuple(self), self.about

    def data(self) -> list[dict[str, Any]]:
        """Return the answers as plain data."""
        return [data_of(one) for one in self]

    @property
    def frame(self) -> pd.DataFrame:
        """The answers as a DataFrame, a row each."""
        import pandas as pd

        return pd.DataFrame(self.data())

    def __repr__(self) -> str:
        return brief(type(self).__name__, {"": self.about or None, "answers": len(self)})

    def _repr_html_(self) -> str:
        rows = [{key: value for key, value in row.items() if _is_short(value)} for row in self.data()]
        columns = list(dict.fromkeys(key for row in rows for key in row))
        return html_table(self.about, columns, [[row.get(key) for key in columns] for row in rows])


class Verdicts(Results["Verdict"]):
    """Verdicts of one bound along its horizons.

    Attributes
    ----------
    about : str
        What was asked.
    shape : Shape or None
        How measured over right-hand side grows along the horizons, for a bound of order only.
    """

    shape: Shape | None = None

    @property
    def frame(self) -> pd.DataFrame:
        """A row a horizon: the setting, the verdict, measured with its interval, right-hand side, ratio, margin."""
        import pandas as pd

        found: pd.DataFrame = pd.concat([one.frame for one in self], ignore_index=True)
        return found

    def plot(self, ax: Any = None) -> Any:
        """Draw what is measured and the right-hand side along T; return the Axes."""
        from boundcheck.evidence.statistics.pictures import draw_verdicts

        return draw_verdicts(self, ax)

    def _repr_html_(self) -> str:
        found = self.frame
        return html_table(self.about, list(found.columns), found.itertuples(index=False, name=None))


def data_of(one: object) -> dict[str, Any]:
    """Return a record as plain data."""
    if isinstance(one, dict):
        return one
    if hasattr(one, "data"):
        found: dict[str, Any] = one.data()
        return found
    if hasattr(one, "_asdict"):
        fields: dict[str, Any] = one._asdict()
        return fields
    return dataclasses.asdict(one) if dataclasses.is_dataclass(one) and not isinstance(one, type) else dict(vars(one))


def _is_short(value: object) -> bool:
    """Return whether a value has room in a cell."""
    return isinstance(value, (bool, int, float)) or (isinstance(value, str) and len(value) < 120)


def several(found: list[T], many: bool, about: str) -> T | Results[T]:  # noqa: FBT001
    """Return one answer as it is, and several as `Results`."""
    return Results(found, about) if many else found[0]


def setting_text(values: Mapping[str, Any]) -> str:
    """Return ``N = 8, K = 4`` of what is given."""
    return ", ".join(f"{key} = {value}" for key, value in values.items() if value is not None)
