"""Finding proof objects: not trusted.  What is found here is decided by the kernel alone.

Read `finder` (the prover's multipliers and squares as an object, and answers to what the kernel asks), `statements`
(the page that the kernel reads), `outcomes` (what the kernel says of a user's file) and `accepted` (of a shipped one).
"""
