"""Files: found, hashed, read and written whole; objects of the user's own by `file.py:NAME`.

Read `atomic` (written whole or not at all), `resources` (shipped or the user's), `own` (code that the user names),
`registry` (names to objects), `sources` (hashes), `moved` (former import paths).
"""
