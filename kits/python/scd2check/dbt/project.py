"""A dbt project, parsed where it lies, and dbt itself, called in this process."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from collections.abc import Sequence
from typing import Any, Optional

from scd2check.errors import Unsuitable


class Usage(Unsuitable):
    """What was asked for is not there: the fault is in the command line, not in the project."""


class Project:
    """One project and its parsed manifest. All that dbt writes beside tables goes to the folder ``scratch``."""

    def __init__(self, folder: str, scratch: str) -> None:
        """Raises ``Usage`` where dbt is not installed, ``Unsuitable`` in dbt's own words where it cannot parse the project."""
        self.folder = folder
        self.scratch = scratch
        #: Set where the loads go by another profile than the project's own.
        self.profiles_dir: Optional[str] = None
        self._runner = _import_runner()
        # As if it was called there: relative paths of a profile begin in the project.
        os.chdir(folder)
        parsed = self.invoke("parse")
        self.manifest: Any = parsed.result

    @property
    def adapter(self) -> Any:
        """What dbt talks to the database with, as the last call left it."""
        from dbt.adapters.factory import FACTORY

        return next(iter(FACTORY.adapters.values()))

    def invoke(self, command: str, *arguments: str) -> Any:
        """One call of dbt, with the manifest as it is in memory. Raises ``Unsuitable`` in dbt's words where it fails."""
        result = self.attempt(command, *arguments)
        if not result.success:
            raise Unsuitable(f"`dbt {command}` says: {failure(result)}")
        return result

    def attempt(self, command: str, *arguments: str) -> Any:
        place = ["--project-dir", self.folder, "--target-path", self.scratch, "--log-path", self.scratch]
        profiles = [] if self.profiles_dir is None else ["--profiles-dir", self.profiles_dir]
        manifest = getattr(self, "manifest", None)
        return self._runner(manifest=manifest).invoke([*_QUIET, command, *arguments, *place, *profiles])

    def snapshot(self, wanted: Optional[str]) -> Any:
        """The snapshot of that name, or the only one there is."""
        snapshots = sorted(
            (node for node in self.manifest.nodes.values() if node.resource_type == "snapshot"),
            key=lambda node: node.unique_id,
        )
        names = [node.name for node in snapshots]
        if not names:
            raise Usage("dbt finds no snapshot in it.")
        if wanted is None:
            if len(names) == 1:
                return snapshots[0]
            raise Usage(f"It has several snapshots. Choose one: --snapshot {' | '.join(names)}")
        found = [node for node in snapshots if wanted in (node.name, node.unique_id)]
        if found:
            return found[0]
        near = difflib.get_close_matches(wanted, names, n=1, cutoff=0.5)
        hint = f"Did you mean `{near[0]}`?" if near else f"It has: {', '.join(names)}."
        raise Usage(f"It has no snapshot `{wanted}`. {hint}")


#: Logs to files and artifacts cost more time than the snapshot itself.
_QUIET = (
    "--quiet", "--log-level-file", "none", "--no-write-json", "--no-send-anonymous-usage-stats", "--no-use-colors",
    "--no-partial-parse",
)  # fmt: skip


def failure(result: Any) -> str:
    """What dbt says of a call that failed, on one line."""
    if result.exception is not None:
        return _one_line(str(result.exception) or repr(result.exception))
    failed = [one.message for one in getattr(result.result, "results", []) if str(one.status) in ("error", "fail")]
    return _one_line(failed[0] if failed and failed[0] else "it gave no reason")


def _one_line(text: str) -> str:
    return re.sub(r"\s*\n\s*", " ", text.strip())


def _import_runner() -> Any:
    try:
        from dbt.cli.main import dbtRunner
    except ImportError as error:
        if (error.name or "").split(".")[0] != "dbt":
            raise
        raise Usage(_not_installed()) from None
    return dbtRunner


def _not_installed() -> str:
    own = _python_of(shutil.which("dbt"))
    other = "" if own is None else f" (the `dbt` of the PATH runs in another one: SCD2CHECK_PYTHON={own})"
    return (
        f"It needs dbt, and {sys.executable} has none: {sys.executable} -m pip install dbt-core dbt-duckdb, "
        f"or set SCD2CHECK_PYTHON to the Python that has it{other}."
    )


def _python_of(script: Optional[str]) -> Optional[str]:
    """The interpreter that a script names in its first line."""
    if script is None:
        return None
    with open(script, "rb") as file:
        first = file.readline(500)
    python = first[2:].strip().decode("utf-8", "replace") if first.startswith(b"#!") else ""
    return python if os.path.isabs(python) and " " not in python and os.path.exists(python) else None


def prune(manifest: Any, kept: Sequence[str]) -> None:
    """Leaves only these nodes: hooks of the run, tests and whatever else the project has are not for a scratch database."""
    manifest.nodes = {unique_id: node for unique_id, node in manifest.nodes.items() if unique_id in kept}
    manifest.sources = {unique_id: node for unique_id, node in manifest.sources.items() if unique_id in kept}
    for name in ("exposures", "metrics", "semantic_models", "saved_queries", "unit_tests"):
        getattr(manifest, name, {}).clear()
