"""Experiments: methods tuned at equal budgets, and the readouts that compare them.

`reading` takes a recipe's text; `setting` makes the cells of one setting, `tuning` chooses hyperparameters on seeds of
their own, `spending` says what a run has spent.  `readouts` makes one number of a run, `contest` an entry of a method,
`questions` and `answers` a verdict on what a paper asserts; `controls` and `power` say whether runs could have told.
"""
