"""A counterexample as about ten lines of numpy that anybody can run without this package.

Read in this order: `expressions` runs code on expressions and keeps what it did as lines; `rounds` is the oracle that a
method's own code sees there, so that its rounds are spelled and not typed again; `functions` spells the clients'
functions; `script` puts these together, runs what it wrote, and keeps it only if it prints what was measured.
"""
