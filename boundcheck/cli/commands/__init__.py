"""One file a command: it reads its arguments, calls public functions, and prints.

A command that has the name of its file is there; `look` has `list` and `show`, `lookup` has `findings` and `explain`,
`survey` is `bounds`, `simulate` is `run`, `conformance` is `conform`, `draw` is `plot`.  The others are what several
share: `running` (what goes before long work), `arena` (options of commands that tune), `outputs`, `contests`, `coq`.
The order in which commands are listed is in `boundcheck.cli.app`.
"""
