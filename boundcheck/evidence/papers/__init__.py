"""What is known of the papers' statements, and of their assumptions on a problem.

`status` joins ledger, findings, audit and studies into one word a statement; `assumptions` asks which a problem meets.
"""
