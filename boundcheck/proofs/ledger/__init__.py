"""The claims of the papers: read from files, decided, counted, exported.

Read `ledger` (the list and the function that decides), `claim_file` (one file), `classes` (what is counted as what),
`tree` (what a printed proof uses), `certify` (certificates).
"""
