"""What a claim is, the texts of claim files, their limits, and how a statement is printed.

Read `claim` first; `printing` typesets what is decided, `texts` and `limits` are shared by all readers of files.
"""
