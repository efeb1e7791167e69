"""The waterfalls that ship, with their proofs: ``python -m boundcheck.evidence.slack.waterfalls FOLDER``."""

from __future__ import annotations

import argparse
import json
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boundcheck.bounds import BOUNDS
from boundcheck.errors import BoundcheckError
from boundcheck.evidence.search.extremes import place_on_class
from boundcheck.evidence.slack.sharper import between
from boundcheck.evidence.slack.waterfall import waterfall
from boundcheck.evidence.trials.examples import pinned_letters
from boundcheck.files.atomic import write_whole
from boundcheck.files.resources import folder
from boundcheck.files.rows import json_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boundcheck.bounds.bound import Bound
    from boundcheck.evidence.slack.waterfall import Waterfall

SHIPPED, PROOFS = "tightness.json", "tightness-proofs.json"
"""File beside the shipped recipes with the waterfalls, and the one with their certificates."""
SETTING: dict[str, Any] = {"K": 2, "T": 4, "N": 2, "sigma": 0.0}
"""Where all of them are, but for a lemma about one round, where T = 1.

L = 1, Delta (or Delta_mean) = 1, and `ZETA` where a theorem needs zeta or G_0.
"""
ZETA = 1.0
LADDER = (1, 2, 4, 8)
"""Rounds along which the levels are followed, each at the steps that are prescribed there."""
LONG = 1000
"""Rounds at which the right-hand side is also put beside the sharpened theorem."""


def in_reach() -> list[Bound]:
    """Return the explicit bounds that a waterfall is asked for: no closed forms of others."""
    return [bound for bound in BOUNDS.values() if bound.kind == "explicit" and not bound.id.endswith("-rate")]


def build_waterfalls() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the content of both files."""
    found, proofs, unreached = [], {}, {}
    for bound in in_reach():
        needed: dict[str, Any] = {"zeta": ZETA} if {"zeta", "G_0"} & set(bound.needs) else {}
        try:
            made = waterfall(bound, **(SETTING | pinned_letters(bound)), **needed)
        except BoundcheckError as error:
            unreached[bound.id] = str(error)
            continue
        if made.found.conditions:
            unreached[bound.id] = f"its conditions fail at this setting: {'; '.join(made.found.conditions)}"
            continue
        if made.upper is None:
            unreached[bound.id] = f"its worst case has no certificate: {made.stages[1].why}"
            continue
        data = made.data()
        for certificate in made.certificates():
            name = f"{bound.id}.{certificate['id']}"
            proofs[name] = certificate | {"id": name}
            data.setdefault("certificates", []).append(name)
        found.append(data | _along(bound, made, needed) | _long(bound, needed))
    setting = {"L": 1.0, "Delta": 1.0, "zeta": ZETA, **SETTING}
    return {"format": 1, "setting": setting, "waterfalls": found, "unreached": unreached}, list(proofs.values())


def _along(bound: Bound, made: Waterfall, needed: dict[str, Any]) -> dict[str, Any]:
    """Return the levels along the ladder of horizons at which the theorem speaks; nothing for one with a fixed T."""
    if "T" in pinned_letters(bound):
        return {}
    rungs = (made if SETTING["T"] == T else waterfall(bound, **{**SETTING, "T": T}, **needed) for T in LADDER)
    return {"along": [_rung(one) for one in rungs if not one.found.conditions and one.upper is not None]}


def _rung(one: Waterfall) -> dict[str, Any]:
    """Return the levels at one horizon: values, fractions where there are, and what a function of the class has."""
    known = [stage for stage in one.stages if stage.value is not None]
    return {
        "T": one.found.T,
        **{stage.name: stage.value for stage in known},
        "lower": next(stage.lower for stage in known if stage.name == "worst case"),
        "exact": {stage.name: stage.exact for stage in known if stage.exact},
        "trivial": one.found.trivial,
    }


def _long(bound: Bound, needed: dict[str, Any]) -> dict[str, Any]:
    """Return the right-hand side beside the sharpened theorem after many rounds, at the steps prescribed there."""
    found = place_on_class(bound, **{**SETTING, "T": LONG}, **needed)
    theorem, why = between(found)
    if theorem is None or found.conditions:
        return {"long": {"T": LONG, "why": why or "; ".join(found.conditions)}}
    value = theorem.right_hand_side()
    factor = found.rhs / float(value)
    row = {"T": LONG, "right-hand side": found.rhs, "sharpened": float(value), "exact": str(value), "factor": factor}
    return {"long": row}


@cache
def shipped_waterfalls() -> dict[str, Any]:
    """Return the shipped waterfalls."""
    found: dict[str, Any] = json.loads((folder("reports") / SHIPPED).read_text(encoding="utf-8"))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Write both files into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    where = parser.parse_args(arguments).folder
    waterfalls, proofs = build_waterfalls()
    write_whole(where / SHIPPED, json_rows(waterfalls, 2) + "\n")
    write_whole(where / PROOFS, json_rows(proofs) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
