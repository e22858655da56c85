"""Serves one snapshot of a dbt project: ``python3 .../scd2check/dbt/runner.py <folder> [<snapshot>]``."""

from __future__ import annotations

import os
import sys

# Started by its path, this folder is on the module path, and its modules would stand in the way of dbt's own.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import tempfile
from typing import Optional

from scd2check import protocol
from scd2check.dbt.project import Project, Usage
from scd2check.dbt.scratch import open_scratch
from scd2check.dbt.snapshot import Snapshot
from scd2check.dbt.sweeper import Sweeper
from scd2check.errors import Unsuitable, describe
from scd2check.serving import serve


def main(arguments: list[str]) -> int:
    folder, wanted = arguments[0], arguments[1] if len(arguments) > 1 else None
    protocol.claim()
    sys.dont_write_bytecode = True
    scratch_folder = tempfile.mkdtemp(prefix="scd2check-dbt-")
    sweeper = Sweeper(scratch_folder)
    try:
        _serve(os.path.abspath(folder), wanted, scratch_folder, sweeper)
    except Unsuitable as problem:
        print(f"scd2check{' usage' if isinstance(problem, Usage) else ''}: {problem}", file=sys.stderr)
        return 1
    except Exception as error:
        # Of the database, mostly: it does not answer, another process holds its file, a right is missing.
        print(f"scd2check: {' '.join(describe(error).split())}", file=sys.stderr)
        return 1
    finally:
        sweeper.end()
    return 0


def _serve(folder: str, wanted: Optional[str], scratch_folder: str, sweeper: Sweeper) -> None:
    project = Project(folder, scratch_folder)
    node = project.snapshot(wanted)
    scratch = open_scratch(project)
    if scratch.leavings:
        sweeper.leave(scratch.leavings)
    snapshot = Snapshot(project, node, scratch)
    replaced = "" if snapshot.runs_query else ", its query replaced by a table"
    name = f"{node.name} on {scratch.engine}{replaced}"
    serve(snapshot, contract=snapshot.contract, name=name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
