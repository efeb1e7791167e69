"""What is said of a measured rate, and what each word means."""

from __future__ import annotations

from typing import Literal

from boundcheck.evidence.statistics.promise import MARGIN
from boundcheck.files.display import Catalogue

Word = Literal["as promised", "faster than printed", "slower", "transient", "undecided", "not attainable"]

_MEANINGS: dict[Word, str] = {
    "as promised": f"the second half of the run falls by the printed power, up to {MARGIN:g}: the rate is attained",
    "faster than printed": "both readouts fall faster than printed: this family does not attain the rate",
    "slower": "both readouts fall more slowly than printed, and more slowly than the bound does on the same grid",
    "transient": "what falls as printed is the start: so does the control, or the second half falls faster",
    "undecided": "the grid or the control cannot tell, or local powers still change; the note says what it would take",
    "not attainable": "no setting meets the conditions, or none is long enough; the note says why",
}
WORDS: dict[Word, str] = Catalogue("words", _MEANINGS)
"""Word to meaning; "faster" always means faster than *printed*, whatever the bound does on the grid."""
