"""Files and statements of whole proofs: text to trees, letters, indices, vectors, linear forms.

Read `grammar`, then `setting` (what a file declares) and `files`.
"""
