"""The tables of problems and methods of the other rooms' tests are importable here too."""

import sys
from pathlib import Path

for room in ("methods", "problems"):
    sys.path.insert(0, str(Path(__file__).parents[1] / room))
