"""One bound on one problem: do they fit, what is run, and what the replicates say.

Read `trial` first: it fits a bound to a problem (`fitting`), runs replicates, and judges them (`judging`) with the
slack of `rounding`; `close_calls` repeats what is too close in longer numbers.  Constants that clash are in
`contradictions`, what a problem vouches for in `vouched`.
"""
