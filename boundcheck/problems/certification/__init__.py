"""The search for points that refute the constants which a problem claims.

Read `certify` (every constant of a problem, attacked) and `certificate` (what came of it).  `maximise` names the ratio
that defines each constant; `lipschitz`, `spread`, `growth` and `descent` have the ratios, `search` and `scan` find
points where they are large.  `identities` and `sampler` check what holds whatever the constants are.
"""
