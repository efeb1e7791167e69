"""An implementation and ours, run on the same samples: settings (`battery`), problems, hyperparameters, minibatches.

`harness` steps a method round by round; `replay` hands its minibatches to a stranger's code, which `calling` calls;
`comparison` is what comes out.
"""
