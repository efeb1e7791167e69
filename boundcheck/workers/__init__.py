"""Processes and schedulers: started afresh, each with one thread of linear algebra.

`processes` is the pool that everything uses, `scheduler` puts Dask in its place, `memory` keeps what arrays leave,
`interrupts` defers signals where foreign code would abort.
"""
