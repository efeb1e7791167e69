"""What people ask of a bound: does it hold, over a grid, with which exponents, from when on.

Read `check` first; `grid` asks it at many settings, `exponents` fits powers, `time_to_epsilon` counts rounds,
`survey` and `feasibility` say whether conditions can be met.  Settings go in; verdicts, fits and tables come out.
"""
