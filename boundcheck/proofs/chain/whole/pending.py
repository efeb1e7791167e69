"""Bounds of a proof or a repair that no chain proves, each with why."""

from __future__ import annotations

_NOISE = (
    "its proof breaks at (123), fedglomo.eq123-printed, which is false and which it needs; no other proof of these"
    " constants and no instance against them is known; the repair has a factor 2 at (123) and (124)"
)


def _empty(breaks: str, number: int) -> str:
    return (
        f"its printed server step does not meet the conditions of its own proof ({breaks}), so that it speaks of"
        f" nothing; momentum-fl.theorem{number} is proved in its place"
    )


PENDING: dict[str, str] = {
    **{f"momentum-fl.theorem{n}-proof": _empty(f"momentum-fl.theorem{n}-gamma-printed", n) for n in (19, 22)},
    "fmgda.theorem1-proof": "the noise of its dual estimator is charged too little"
    " (fmgda.theorem1-53-noise-printed), its schedule constant is 800, and it counts neither the first block nor the"
    " communications; no instance against it is known, and fmgda.theorem1R is proved in its place",
    "fedlalr.theorem1-proof": "false for eps > G_inf, which nothing in it excludes (fedlalr.lemma4-printed, and"
    " fedlalr.theorem1-eps-printed against the theorem itself); fedlalr.theorem1R is proved in its"
    " place",
    **dict.fromkeys(("fedglomo.theorem3A", "fedglomo.lemma13A"), _NOISE),
}
"""Bound to what is missing."""
