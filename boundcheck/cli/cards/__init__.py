"""The pages that `boundcheck show` and `list` print, as data first and as text last.

Read `cards` (which object has which page), `card_data` (pages as plain data), then the page of a kind.
"""
