"""One theorem for every number of local steps K, every number of clients N and all steps in a range.

Read `loop` (what a local step does, from the method's own code), then `lemmas` (one local step, the end of a round),
`search` and `text` (the file that a checker reads).
"""
