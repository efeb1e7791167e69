"""The functions of ``import boundcheck as bc``, one a command: the same name, parameters and defaults.

`theorems` has what is asked of a theorem, `methods` what is run and compared, `classes` worst cases over classes of
problems, `proofs` claims, `words` what is looked up.  `names` finds what a name means, `results` is what several
answers come in.  A function takes objects where it takes names, several horizons where the command does, and ``1e4``
for a whole number; ``--set name=value`` is ``set_={"name": value}``.  Commands and the server for programs
(`boundcheck.agents`) call these functions, too.  `answer` is the shape in which both give plain data.
"""
