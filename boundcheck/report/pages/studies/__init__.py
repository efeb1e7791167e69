"""Pages about studies: what was measured against the bounds, times to an accuracy, and every fitted exponent."""
