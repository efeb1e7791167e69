"""The comparison tables of the papers, a paper a file; see `boundcheck.bounds.rate` for the contract."""
