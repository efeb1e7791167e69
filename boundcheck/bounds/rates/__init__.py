"""The comparison tables of the papers, a paper a file; see `boundcheck.bounds.rate` for the contract.

A row is what a paper prints of a method: powers of the letters, and the theorem that it is read off.
"""
