"""Serves a snapshot of a dbt project: the contract from its manifest, the loads by dbt itself, in one process.

dbt parses the project where it lies and writes nothing there. What the snapshot reads is then replaced, in the parsed
manifest and not in any file, by tables in a scratch database (DuckDB) or schema (PostgreSQL) that goes with the process.
"""
