"""Files that a user begins with: ``boundcheck new theorem mine.py`` copies one.

`theorem`, `problem`, `method`, `adapter` and the claim files are copied as they are; of a printed inequality `latex`
reads what it says, and `drafting` asks in the file for the rest.
"""
