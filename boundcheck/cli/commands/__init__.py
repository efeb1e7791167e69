"""One file a command: it reads its arguments, calls public functions, and prints.

A command stands in the file of its name, but for these: `look` has `list` and `show`, `lookup` has `findings` and
`explain`, `survey` is `bounds`, `simulate` is `run`, `conformance` is `conform`, `draw` is `plot`.  What several share
is in `boundcheck.cli.shared`; the order in which they are listed is in `boundcheck.cli.app`.
"""
