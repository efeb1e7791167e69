"""Theorems for all steps that ship: found by a programme, proved over the rationals, each a file that `verify` checks.

Read `recipes` (what is looked for) and `shipped` (what was found).  ``python -m boundcheck.worst.theorems.collection``
makes the files anew, those that are named or all.
"""
