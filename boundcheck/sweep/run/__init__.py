"""Running what is missing: workers, prices, forecasts.

Read `runner`; `crew` hands calls to processes, `pricing` and `forecast` say how long it takes.
"""
