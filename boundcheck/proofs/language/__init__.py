"""The language of claims: text to trees and back.

Read `limits` (how much a text may ask for) and `texts` (what files have in common), then `grammar` (expressions and
statements, read and written), `printing` (as a paper prints them), `affine` and `forms` (indices, vectors), `setting`
and `declare` (what a file declares), `claims` (a claim with its steps), `stated` and `claim` (one that stands alone),
and `files`, which reads them all.
"""
