"""Time per client gradient, as ratios measured in one process: `python -m benchmarks`."""

import os

# Before numpy is loaded: figures are of one core, as commands and the processes of sweeps compute.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
