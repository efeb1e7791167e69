"""What an answer may be called: the words of every verdict, their meanings, signs and exit codes.

`words` has a table for each kind of question (a bound at one setting, a line of a proof, a worst case, an experiment,
a rate, a constant, somebody's code).  `status` is the one word for a statement, joined from all of these and shipped.
`codes` says with which code a command ends.  Who decides imports the type of its words from here; who prints imports
the sign.  Nothing here decides or computes.
"""
