"""Measure every headline rate and write the data that ship: ``python -m boundcheck.rates`` (about ten minutes)."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from boundcheck.rates.attained import attain
from boundcheck.rates.certificates import shipped_rates, write_certificate
from boundcheck.rates.headlines import HEADLINES

DATA = Path(__file__).with_name("attained.json")


def main(names: list[str] | None = None) -> None:
    """Measure all headline rates, or those named, and keep the others as they are."""
    chosen = names or [*HEADLINES]
    found = {} if len(chosen) == len(HEADLINES) or not DATA.exists() else dict(shipped_rates())
    for name in chosen:
        start = time.perf_counter()
        found[name] = attain(HEADLINES[name])
        print(f"{name}: {found[name].word} ({time.perf_counter() - start:.0f} s)", file=sys.stderr, flush=True)
    write_certificate(DATA, [found[name] for name in HEADLINES if name in found])


if __name__ == "__main__":
    main(sys.argv[1:])
