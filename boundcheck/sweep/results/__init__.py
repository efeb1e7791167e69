"""What came out of cells: curves, times, verdicts of studies, tables."""
