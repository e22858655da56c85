"""Drops the scratch schema that a run has left on a cluster: what a script does there goes on when its session is killed."""

from __future__ import annotations

import os
import sys

if not __package__:
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from scd2check.spark.options import read_options
from scd2check.spark.session import SparkRun


def main() -> None:
    run = SparkRun("A script for Spark", read_options(), sys.argv[1])
    run.session  # noqa: B018  Comes up with the same schema, and drops it.
    run.close()


if __name__ == "__main__":
    main()
