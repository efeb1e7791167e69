"""Rates that can be seen: whether the power that a theorem prints is the power at which its method falls.

A rate is *attained* if a family of problems is as slow as the theorem says.  On a bowl the average of a run is soon its
first rounds divided by T, which every method has; on the tail (`boundcheck.problems.links.tail`) a method without
noise falls by the power that its schedule has, and by no other.  Read `headlines` for what is asked, `attained` for how
it is measured, `judge` for the words; `certificates` checks results again, `horizons` says from when on a bound says
anything at all.
"""

from __future__ import annotations

from boundcheck.files.display import Catalogue
from boundcheck.rates.asked import headline_of
from boundcheck.rates.attained import Attained, Point, attain, judge_points
from boundcheck.rates.certificates import read_certificate, recheck, shipped_rates, write_certificate
from boundcheck.rates.control import Control
from boundcheck.rates.declared import declare_constants
from boundcheck.rates.headline import Headline
from boundcheck.rates.headlines import HEADLINES
from boundcheck.rates.horizons import Horizon, check_beyond, horizon
from boundcheck.rates.judge import Slope, Slopes, fit_slope, judge_slopes
from boundcheck.rates.proved import tail_ceiling, tail_exponent, tail_floor
from boundcheck.verdicts.words import ATTAINED_WORDS, meanings
from boundcheck.verdicts.words import AttainedWord as Word

__all__ = [
    "HEADLINES",
    "WORDS",
    "Attained",
    "Control",
    "Headline",
    "Horizon",
    "Point",
    "Slope",
    "Slopes",
    "Word",
    "attain",
    "check_beyond",
    "declare_constants",
    "fit_slope",
    "headline_of",
    "horizon",
    "judge_points",
    "judge_slopes",
    "read_certificate",
    "recheck",
    "shipped_rates",
    "tail_ceiling",
    "tail_exponent",
    "tail_floor",
    "write_certificate",
]

WORDS: dict[Word, str] = Catalogue("words", meanings(ATTAINED_WORDS))
"""Word to meaning."""
