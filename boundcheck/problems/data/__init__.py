"""Problems on data: regression, classification, networks, AUC maximisation.

`bundled` reads a table that ships and `partition` deals its rows to clients; `rows` is the base of problems whose
samples are rows.  On it stand `linear_model` (`logistic`, `regression`), `softmax`, `mlp`, and the saddles of `auc`
with the `scorers`.  `ball`, `boxes` and `floors` prove the bounds from which constants are made.
"""
