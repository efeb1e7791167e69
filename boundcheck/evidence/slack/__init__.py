"""Where a bound's slack comes from: measured, worst case, sharpened, right-hand side.

Read `waterfall`; `waterfalls` writes the shipped ones, `sharper` and `class_ceiling` find the levels.  A bound and a
class go in; a list of levels comes out.
"""
