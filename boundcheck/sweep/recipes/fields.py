"""Types of the values in a recipe, with the ranges that are legal."""

from __future__ import annotations

from typing import Annotated

import msgspec

from boundcheck.limits import MOST

Count = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Replicates = Annotated[int, msgspec.Meta(ge=2, le=10**6)]
Positive = Annotated[float, msgspec.Meta(gt=0)]
NonNegative = Annotated[float, msgspec.Meta(ge=0)]
Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
Number = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)] | float | str | bool
"""A whole number is one that a float has, too."""
