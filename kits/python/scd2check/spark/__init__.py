"""Implementations on Spark: one live session for all that the harness asks, and a table for each session of the harness."""
