"""Time per client gradient, as ratios measured in one process: `python -m benchmarks`."""
