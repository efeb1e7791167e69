"""What a terminal shows: tables, cards, progress, options that several commands share, signals.

Read `output` first: plain data go in, JSON or a table comes out.  `columns` says which columns fit, `formulas` and
`laying` typeset, `named` and `settings` read what people type, `progress` and `beforehand` say how long it takes.
"""
