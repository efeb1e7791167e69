"""How a round goes wrong: a piece of it (`wrong`), what its oracle says (`wrong_oracle`), all of it (`wrong_methods`).

`changes` is the short list of ways to say so, of which the catalogue in `boundcheck.conform.mistakes` is made.
"""
