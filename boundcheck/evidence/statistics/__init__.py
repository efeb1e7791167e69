"""Numbers with an error rate: bets, intervals, exponents' model error, and the words of a verdict.

Read `verdict` (what is answered), `decision` (one number against another), `betting` (the wealth that a true bound
cannot let grow), then `intervals` and `resampling`.  Arrays of replicates come in; intervals and verdicts go out.
Nothing here runs a method.
"""
