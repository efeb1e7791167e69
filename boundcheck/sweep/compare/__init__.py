"""Guarantees of all methods beside what they do: contenders, standings, choices of steps.

`contenders` says who takes part, `contend` puts guarantee, measurement and tuned run side by side, `step_choices` does
it for the steps of one theorem, `standings` for a leaderboard.  `statuses` joins the status of every statement.
"""
