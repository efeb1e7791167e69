"""Why an implementation differs: `diagnosis` goes through what `searches` find, and `mismatch` collects what is known.

A known mistake, or two (`pairs`), another method (`others`), a number or formula that is read off; where nothing has
the same iterates, `hints` says where they part.  `asked` knows what a comparison could have told.
"""
