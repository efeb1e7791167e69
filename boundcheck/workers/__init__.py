"""Processes and schedulers: started afresh, each with one thread of linear algebra."""
