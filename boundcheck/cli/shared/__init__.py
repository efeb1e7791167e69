"""What commands share, and parts of long ones: nothing here is a command.

`running` goes before long work (is the output writable, how long will it take) and does it; `arena` has the options of
commands that tune methods on one problem.  `outputs` and `contests` belong to `sweep`, `coq` to `prove`, `regimes` to
`explain`, `suggest` to `check`.
"""
