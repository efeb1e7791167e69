"""What came out of cells: curves, times, verdicts of studies, tables.

A recipe and a store go in.  `results` collects, `stages` judges and asks for more replicates, `times` reads when an
accuracy is reached; `table`, `summary` and `verdicts` are what is written.
"""
