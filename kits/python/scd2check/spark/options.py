"""Where Spark runs, and what is needed for it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Optional

from scd2check.errors import Unsuitable

#: What the harness says of Spark, as JSON: ``{"remote", "master", "catalog", "conf"}``.
VARIABLE = "SCD2CHECK_SPARK"

#: Versions of a table format's jar by the version of Spark: ``(Scala, version)``.
ICEBERG: Mapping[str, tuple[str, str]] = {"3.4": ("2.12", "1.8.1"), "3.5": ("2.12", "1.10.1"), "4.0": ("2.13", "1.10.1")}
DELTA: Mapping[str, tuple[str, str]] = {"3.5": ("2.12", "3.3.2"), "4.0": ("2.13", "4.0.0")}
FORMATS = ("iceberg", "delta")


@dataclass(frozen=True)
class Options:
    """``remote``: a Spark Connect server. ``master``: a cluster, in place of this machine. ``catalog``: where the scratch
    schema is made, the current one of the session unless given. ``conf``: settings of the session, which win over the kit's.
    ``schema`` and ``folder``: where the harness takes them away itself, what they are called."""

    remote: Optional[str] = None
    master: Optional[str] = None
    catalog: Optional[str] = None
    conf: Mapping[str, str] = field(default_factory=dict)
    schema: Optional[str] = None
    folder: Optional[str] = None

    @property
    def is_local(self) -> bool:
        return self.remote is None and self.master is None


def read_options() -> Options:
    """What the harness was told, else what Spark itself reads."""
    told = json.loads(os.environ.get(VARIABLE) or "{}")
    remote = told.get("remote") or (None if told.get("master") else _usual_remote())
    return Options(
        remote,
        told.get("master"),
        told.get("catalog"),
        told.get("conf") or {},
        told.get("schema"),
        told.get("folder"),
    )


def _usual_remote() -> Optional[str]:
    """SPARK_REMOTE may also be ``local[2]``, a server in this process, which Spark here is as well."""
    named = os.environ.get("SPARK_REMOTE", "")
    return named if named.startswith("sc://") else None


def coordinates(format: str, spark: str) -> str:
    """The Maven coordinates of what a table format needs beside Spark of that version, such as ``4.0.3``."""
    known = ICEBERG if format == "iceberg" else DELTA
    minor = ".".join(spark.split(".")[:2])
    if minor not in known:
        raise Unsuitable(
            f"This is Spark {spark}, and the kit knows the jar of {format.capitalize()} for Spark {', '.join(known)} only. "
            f"Name it yourself, --spark-conf spark.jars.packages=<group:artifact:version>, or: pip install 'pyspark=={list(known)[-1]}.*'"
        )
    scala, version = known[minor]
    if format == "iceberg":
        return f"org.apache.iceberg:iceberg-spark-runtime-{minor}_{scala}:{version}"
    return f"io.delta:delta-spark_{scala}:{version}"
