"""One snapshot as an implementation: it begins empty, loads batch after batch, and is read."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any, Optional

from scd2check.dbt.contract import SourceColumn, contract_of, find_column, hard_deletes, meta_columns
from scd2check.dbt.probe import passes_through
from scd2check.dbt.project import Project, failure, prune
from scd2check.dbt.scratch import Declared, Scratch
from scd2check.dbt.column_types import known_type
from scd2check.errors import Unsuitable
from scd2check.setup import Setup

SOURCE = "source"
CLOCK = "clock"


class SnapshotFailed(Exception):
    """What dbt says of a load that failed."""


class Snapshot:
    """A snapshot, moved in the manifest to where nothing of the project's is."""

    def __init__(self, project: Project, node: Any, scratch: Scratch) -> None:
        self._project = project
        self._node = node
        self._scratch = scratch
        self._types: Mapping[str, str] = {}
        self._marker = meta_columns(self._config)["dbt_is_deleted"] if self._marks_deletes else None
        upstream = [_relation_node(project, unique_id) for unique_id in node.depends_on.nodes]
        declared = [self._columns_of(one) for one in upstream]
        prune(project.manifest, [node.unique_id, *node.depends_on.nodes])
        self._read_from_scratch(upstream, declared)
        self._write_to_scratch()
        self._set_clock_macros()
        self._columns, self.runs_query = self._open_query(declared[0] if len(declared) == 1 else None)

    @property
    def contract(self) -> dict[str, Any]:
        return contract_of(self._config, self._columns, self._open_marker())

    @property
    def _config(self) -> dict[str, Any]:
        return self._node.config.to_dict(omit_none=True)

    @property
    def _marks_deletes(self) -> bool:
        return hard_deletes(self._config) == "new_record"

    def start(self, setup: Setup) -> None:
        self._types = setup.batch_types
        self._scratch.drop(self._node.alias)
        self._has_run = False

    def apply(self, rows: Sequence[Mapping[str, Any]], as_of: Any) -> None:
        instant = as_of if isinstance(as_of, dt.datetime) else dt.datetime.combine(as_of, dt.time())
        with self._scratch.cursor() as cursor:
            self._scratch.fill(cursor, CLOCK, [{"as_of": instant}], {"as_of": "timestamp"})
            self._scratch.fill(cursor, SOURCE, rows, self._types)
        result = self._project.attempt("snapshot", "--select", self._node.name, "--cache-selected-only")
        if not result.success:
            raise SnapshotFailed(failure(result))
        self._has_run = True

    def read(self) -> list[dict[str, Any]]:
        if not self._has_run:
            return []
        rows = self._scratch.read(self._node.alias)
        if self._marker is None:
            return rows
        # Texts, to dbt.
        return [{**row, self._marker: _flag(row.get(self._marker))} for row in rows]

    def close(self) -> None:
        """Tables go with the process."""

    def _columns_of(self, node: Any) -> list[Declared]:
        relation = self._project.adapter.Relation.create_from(self._project.adapter.config, node)
        columns = self._scratch.columns_of_relation(str(relation))
        documented = [(one.name, one.data_type, True) for one in node.columns.values() if one.data_type]
        if columns is None and len(documented) < max(1, len(node.columns)):
            raise Unsuitable(
                f"The snapshot reads {relation}, which is not there, so nobody knows the types of its columns. "
                f"Build it (dbt build --select +{self._node.name} --exclude {self._node.name}), or declare all of its "
                "columns, each with a `data_type`, in the project."
            )
        return columns or documented

    def _read_from_scratch(self, upstream: Sequence[Any], declared: Sequence[Sequence[Declared]]) -> None:
        for index, (node, columns) in enumerate(zip(upstream, declared)):
            table = SOURCE if len(upstream) == 1 else f"{SOURCE}_{index}"
            self._scratch.create(table, columns)
            self._move(node, table)
            if node.resource_type == "source":
                # dbt-duckdb reads a file in the place of a source whose `meta` says so.
                node.meta, node.config.meta, node.source_meta = {}, {}, {}
            else:
                node.config.materialized = "table"

    def _write_to_scratch(self) -> None:
        self._move(self._node, self._node.alias)
        self._node.config.pre_hook, self._node.config.post_hook, self._node.config.grants = [], [], {}

    def _move(self, node: Any, table: str) -> None:
        node.database, node.schema = self._scratch.database, self._scratch.schema
        if node.resource_type == "source":
            node.identifier = table
        else:
            node.alias = table
        node.relation_name = self._scratch.name(table)

    def _set_clock_macros(self) -> None:
        """The hook that dbt offers: every form of it answers with what the clock table says."""
        self._scratch.create(CLOCK, [("as_of", "timestamp", False)])
        for macro in self._project.manifest.macros.values():
            if macro.name.endswith("__snapshot_get_time"):
                macro.macro_sql = (
                    f"{{% macro {macro.name}() %}}(select as_of from {self._scratch.name(CLOCK)}){{% endmacro %}}"
                )

    def _open_query(self, source: Optional[Sequence[Declared]]) -> tuple[list[SourceColumn], bool]:
        """The columns of the query, and whether it is run as it is. Where it changes what it reads, its result is replaced."""
        compiled = self._project.invoke("compile", "--select", self._node.name)
        query = compiled.result.results[0].node.compiled_code
        output = self._scratch.columns_of_query(query)
        columns = [SourceColumn(name, known_type(kind)) for name, kind, _ in output]
        given = {} if source is None else {name: (known_type(kind), takes_null) for name, kind, takes_null in source}
        if all(column.name in given for column in columns if column.type is not None):
            # Types and NULLs as the source has them, which an engine forgets along a query.
            own = [SourceColumn(one.name, given.get(one.name, (None,))[0], given.get(one.name, (None, True))[1]) for one in columns]
            key = contract_of(self._config, own)["key"]
            if passes_through(self._scratch, SOURCE, query, own, [one["name"] for one in key]):
                return own, True
        self._scratch.create(SOURCE, output)
        self._node.raw_code = f"select * from {self._scratch.name(SOURCE)}"
        return columns, False

    def _open_marker(self) -> str:
        expression = self._config.get("dbt_valid_to_current")
        if not expression:
            return "null"
        value = self._scratch.value(f"cast({expression} as timestamp)")
        if value is None:
            return "null"
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(sep=" ")


def _relation_node(project: Project, unique_id: str) -> Any:
    manifest = project.manifest
    return manifest.sources[unique_id] if unique_id in manifest.sources else manifest.nodes[unique_id]


def _flag(value: Any) -> Any:
    return {"True": True, "False": False}.get(value, value)
