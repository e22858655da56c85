"""The tables that a snapshot reads and writes while it is under test, apart from everything that is the project's own."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Optional

from scd2check.cells import encode
from scd2check.dbt.project import Project
from scd2check.dbt.column_types import column_sql
from scd2check.errors import Unsuitable

#: Name, type as the engine has it, and whether it takes NULL.
Declared = tuple[str, str, bool]


def open_scratch(project: Project) -> "Scratch":
    """A place on the engine of the project's target. Raises ``Unsuitable`` where it is none that scd2check knows."""
    config = project.adapter.config
    engine = config.credentials.type
    if engine == "duckdb":
        return DuckdbScratch(project)
    if engine == "postgres":
        return PostgresScratch(project)
    raise Unsuitable(
        f"The target `{config.target_name}` of the profile `{config.profile_name}` is on {engine}, and scd2check runs "
        "snapshots on DuckDB and PostgreSQL. Name another target: DBT_TARGET=<target>."
    )


class Scratch:
    """Tables in one schema, all over dbt's own connection."""

    engine = ""
    database = ""
    schema = ""
    #: What has to go when the process has ended, in whatever way: for ``sweeper``.
    leavings: Mapping[str, Any] = {}

    def __init__(self, project: Project) -> None:
        self._project = project
        #: Columns of the tables that were made, with their types here.
        self._types: dict[str, dict[str, str]] = {}

    def name(self, table: str) -> str:
        return ".".join(quoted(part) for part in (self.database, self.schema, table))

    @contextmanager
    def cursor(self) -> Iterator[Any]:
        adapter = self._project.adapter
        with adapter.connection_named("scd2check"):
            handle = adapter.connections.get_thread_connection().handle
            cursor = handle.cursor()
            if not self.begins_by_itself(handle):
                cursor.execute("begin")
            try:
                yield cursor
            except BaseException:
                # dbt keeps the connection, and knows nothing of this transaction.
                cursor.execute("rollback")
                raise
            cursor.execute("commit")

    def create(self, table: str, columns: Sequence[Declared]) -> None:
        types = {name: column_sql(declared, self.engine) for name, declared, _ in columns}
        body = ", ".join(f"{quoted(name)} {kind}" for name, kind in types.items())
        with self.cursor() as cursor:
            cursor.execute(f"drop table if exists {self.name(table)}")
            cursor.execute(f"create table {self.name(table)} ({body})")
        self._types[table] = types

    def fill(self, cursor: Any, table: str, rows: Sequence[Mapping[str, Any]], types: Mapping[str, str]) -> None:
        """Replaces what the table holds. ``types``: of the cells, as scd2check names them."""
        cursor.execute(f"delete from {self.name(table)}")
        columns = list(types)
        if not rows:
            return
        cells = [{f"c{i}": encode(row.get(name), types[name]) for i, name in enumerate(columns)} for row in rows]
        casts = ", ".join(f"cast(r.c{i} as {self._types[table][name]})" for i, name in enumerate(columns))
        names = ", ".join(quoted(name) for name in columns)
        source = self.rows_of_json([f"c{i}" for i in range(len(columns))])
        cursor.execute(f"insert into {self.name(table)} ({names}) select {casts} from {source}", [json.dumps(cells)])

    def read(self, table: str) -> list[dict[str, Any]]:
        with self.cursor() as cursor:
            cursor.execute(f"select * from {self.name(table)}")
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row)) for row in cursor.fetchall()]

    def drop(self, *tables: str) -> None:
        with self.cursor() as cursor:
            for table in tables:
                cursor.execute(f"drop table if exists {self.name(table)}")

    def value(self, expression: str) -> Any:
        with self.cursor() as cursor:
            cursor.execute(f"select {expression}")
            return cursor.fetchall()[0][0]

    def count(self, query: str) -> int:
        return int(self.value(f"count(*) from ({query}) as counted"))

    def begins_by_itself(self, handle: Any) -> bool:
        """Whether the first statement on a connection begins a transaction."""
        return False

    def rows_of_json(self, columns: Sequence[str]) -> str:
        """A relation ``r`` of texts over the one parameter, an array of objects."""
        raise NotImplementedError

    def columns_of_relation(self, relation: str) -> Optional[list[Declared]]:
        """Of a relation of the project's own, which is only looked at; None where it is not there."""
        raise NotImplementedError

    def columns_of_query(self, query: str) -> list[Declared]:
        raise NotImplementedError


class DuckdbScratch(Scratch):
    """A database file of its own: the project's file is only looked at, and opened for that alone."""

    engine = "duckdb"
    database = "scratch"
    schema = "scd2check"

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._own = project.adapter.config.credentials
        _write_profile(project)
        # Nothing but to have dbt take up the other profile.
        project.invoke("list", "--resource-type", "snapshot")
        with self.cursor() as cursor:
            cursor.execute(f"create schema if not exists {quoted(self.schema)}")

    def rows_of_json(self, columns: Sequence[str]) -> str:
        shape = json.dumps([dict.fromkeys(columns, "VARCHAR")])
        return f"(select unnest(from_json(?::json, '{shape}')) as r) as rows"

    def columns_of_relation(self, relation: str) -> Optional[list[Declared]]:
        import duckdb

        path = self._own.path
        if path != ":memory:" and not os.path.exists(path):
            return None
        config = dict(self._own.config_options or {})
        with duckdb.connect(path, read_only=path != ":memory:", config=config) as connection:
            for attached in self._own.attach or []:
                kind = f", type {attached.type}" if attached.type else ""
                connection.execute(f"attach '{attached.path}' as {quoted(attached.alias)} (read_only{kind})")
            try:
                rows = connection.execute(f"describe select * from {relation}").fetchall()
                nulls = connection.execute(f"describe {relation}").fetchall() if "(" not in relation else rows
            except duckdb.CatalogException:
                return None
        return [(row[0], row[1], null[2] == "YES") for row, null in zip(rows, nulls)]

    def columns_of_query(self, query: str) -> list[Declared]:
        with self.cursor() as cursor:
            cursor.execute(f"describe {query}")
            return [(row[0], row[1], True) for row in cursor.fetchall()]


class PostgresScratch(Scratch):
    """A schema of its own in the target's database."""

    engine = "postgres"

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        credentials = project.adapter.config.credentials
        self.database = credentials.database
        self.schema = f"scd2check_{secrets.token_hex(6)}"
        connection = {
            "dbname": credentials.database,
            "host": credentials.host,
            "port": credentials.port,
            "user": credentials.user,
            "password": credentials.password,
            "sslmode": credentials.sslmode,
            "sslcert": credentials.sslcert,
            "sslkey": credentials.sslkey,
            "sslrootcert": credentials.sslrootcert,
        }
        given = {name: value for name, value in connection.items() if value is not None}
        self.leavings = {"connection": given, "role": credentials.role, "schema": self.schema}
        with self.cursor() as cursor:
            cursor.execute(f"create schema {quoted(self.schema)}")

    def begins_by_itself(self, handle: Any) -> bool:
        return not getattr(handle, "autocommit", False)

    def rows_of_json(self, columns: Sequence[str]) -> str:
        return f"json_to_recordset(%s::json) as r({', '.join(f'{name} text' for name in columns)})"

    def columns_of_relation(self, relation: str) -> Optional[list[Declared]]:
        with self.cursor() as cursor:
            cursor.execute(
                "select attname, format_type(atttypid, atttypmod), not attnotnull from pg_attribute "
                "where attrelid = to_regclass(%s) and attnum > 0 and not attisdropped order by attnum",
                [relation],
            )
            return [tuple(row) for row in cursor.fetchall()] or None

    def columns_of_query(self, query: str) -> list[Declared]:
        view = self.name("described")
        with self.cursor() as cursor:
            cursor.execute(f"create view {view} as {query}")
        try:
            return self.columns_of_relation(view) or []
        finally:
            with self.cursor() as cursor:
                cursor.execute(f"drop view {view}")


def quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _write_profile(project: Project) -> None:
    """The project's target, with a database file of ours in the place of its own, as a profile in the scratch folder."""
    import yaml
    from dbt.config.profile import read_profile
    from dbt.flags import get_flags

    config = project.adapter.config
    # As it is written: what it takes from the environment is not written down anywhere else.
    own = read_profile(str(get_flags().PROFILES_DIR))[config.profile_name]
    output = dict(own["outputs"][config.target_name])
    for name in ("database", "attach", "dbname"):
        output.pop(name, None)
    output.update({"path": os.path.join(project.scratch, "scratch.duckdb"), "schema": DuckdbScratch.schema, "threads": 1})
    profile = {config.profile_name: {"target": config.target_name, "outputs": {config.target_name: output}}}
    path = os.path.join(project.scratch, "profiles.yml")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        yaml.safe_dump(profile, file)
    project.profiles_dir = project.scratch
