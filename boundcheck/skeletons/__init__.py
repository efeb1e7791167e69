"""Files that a user begins with: ``boundcheck new theorem mine.py`` copies one.

`theorem`, `problem`, `method`, `adapter`, the claim file and the recipe are copied as they are; of a printed inequality
`latex` reads what it says, and `drafting` asks in the file for the rest.
"""
