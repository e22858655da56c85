"""The Spark session of a run, and the scratch schema that its tables are in."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Optional

from scd2check.errors import Unsuitable, describe
from scd2check.spark import scratch
from scd2check.spark.needs import local_jars, require_java, require_pyspark, require_server
from scd2check.spark.options import Options, coordinates
from scd2check.spark.stopwatch import Stopwatch
from scd2check.spark.tables import create_table

_CATALOG = "scd2check"


class SparkRun:
    """One session, started when it is first needed, and a schema of its own in which every table of the run is."""

    def __init__(self, what: str, options: Options, format: str) -> None:
        """``what`` is served, for messages. What the machine lacks is said here, before anything starts.

        Raises ``Unsuitable``.
        """
        self.options = options
        self.format = format
        self.stopwatch = Stopwatch()
        self._version = require_pyspark(what, options)
        if options.remote is None:
            require_java(self._version)
        self._session: Any = None
        self._folder: Optional[str] = None
        self._schema = ""
        #: Catalog and scratch schema, as they are.
        self._names = ("", "")
        self._tables = 0

    @property
    def session(self) -> Any:
        if self._session is None:
            with self.stopwatch.timing("session"):
                self._start()
        return self._session

    @property
    def folder(self) -> str:
        """A folder of this run, for files that Spark reads: sources and checkpoints of streams."""
        if self._folder is None:
            self._folder = self.options.folder
        if self._folder is None:
            _sweep()
            self._folder = tempfile.mkdtemp(prefix=f"scd2check-spark-{os.getpid()}-")
        return self._folder

    @property
    def schema(self) -> str:
        """The scratch schema with its catalog."""
        return self._schema

    def new_table(self, stem: str = "dim") -> str:
        """A name that no table of this run has had."""
        self._tables += 1
        return f"{self._schema}.{stem}_{self._tables}"

    def begin(self) -> Any:
        """A session that finds nothing of the last one: no table in the scratch schema, no view, variable or setting."""
        if self._session is None:
            return self.session
        self.renew()
        scratch.empty(self._session, self._schema)
        return self._session

    def renew(self) -> None:
        """Another session on the same tables: views and settings of the last one are gone."""
        old = self._session
        if self.options.remote is not None:
            from pyspark.sql import SparkSession

            self._session = SparkSession.builder.remote(self.options.remote).create()
            _let_go(old)
        else:
            self._session = old.newSession()
            _make_default(self._session)
        self._use_schema()

    def create(self, table: str, types: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> None:
        """Makes a table. Raises ``Unsuitable`` where a cluster's catalog makes none of this kind."""
        try:
            create_table(self.session, table, self.format, types, rows)
        except Exception as error:
            if self.options.is_local:
                raise
            kind = self.format.capitalize()
            raise Unsuitable(
                f"The catalog {self._schema.rsplit('.', 1)[0]} makes no {kind} table: {_first_line(error)}. "
                "Name one that does with --spark-catalog"
            ) from error

    def close(self) -> None:
        self.stopwatch.write()
        session, self._session = self._session, None
        folder, self._folder = self._folder, None
        try:
            if session is not None and not self.options.is_local and self._schema:
                scratch.drop(session, self._schema)
            if session is not None:
                session.stop()
        finally:
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)

    def _start(self) -> None:
        # Python's own instants, on their way to Spark and back, are read by the zone of the process.
        os.environ["TZ"] = "UTC"
        time.tzset()
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.appName("scd2check")
        try:
            if self.options.remote is not None:
                require_server(self.options.remote)
                self._session = builder.remote(self.options.remote).getOrCreate()
                self._version = self._session.version
            else:
                # Named beside a master, or as a server in this process, it would have Spark leave the builder's settings alone.
                os.environ.pop("SPARK_REMOTE", None)
                os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
                if SparkSession.getActiveSession() is not None:
                    raise Unsuitable(
                        "The file makes a Spark session while it is imported, and that one has not the tables of a test. "
                        'Make it where the file is run as a program: if __name__ == "__main__":'
                    )
                self._session = self._configured(builder).getOrCreate()
                self._session.sparkContext.setLogLevel("ERROR")
            self._make_schema()
        except Exception as error:
            try:
                self.close()
            except Exception:
                # What stood in the way of the start stands in the way of this too.
                pass
            raise error if isinstance(error, Unsuitable) else Unsuitable(self._why(error)) from error

    def _configured(self, builder: Any) -> Any:
        conf = {**self._own_conf(), **self.options.conf}
        for name, value in conf.items():
            builder = builder.config(name, value)
        return builder.master(self.options.master or "local[2]")

    def _own_conf(self) -> dict[str, str]:
        conf = {"spark.sql.session.timeZone": "UTC", "spark.ui.showConsoleProgress": "false", **self._format_conf()}
        if not self.options.is_local:
            return conf
        # Thousands of small loads: what pays for itself in minutes only costs here. None of it changes an answer.
        return {
            **conf,
            "spark.ui.enabled": "false",
            "spark.driver.memory": "2g",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.default.parallelism": "1",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN",
            "spark.sql.warehouse.dir": str(Path(self.folder) / "warehouse"),
            # Delta's own default is fifty, for each look at a table.
            "spark.databricks.delta.snapshotPartitions": "1",
            "spark.local.dir": str(Path(self.folder) / "local"),
            # A laptop's own name is often one that nobody can resolve.
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
        }

    def _format_conf(self) -> dict[str, str]:
        given = self.options.conf
        if "spark.jars" in given or "spark.jars.packages" in given:
            jars: dict[str, str] = {}
        else:
            jars = self._jars()
        if self.format == "delta":
            return {
                **jars,
                "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
                "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
            }
        conf = {**jars, "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"}
        if not self.options.is_local:
            return conf
        catalog = f"spark.sql.catalog.{_CATALOG}"
        return {
            **conf,
            catalog: "org.apache.iceberg.spark.SparkCatalog",
            f"{catalog}.type": "hadoop",
            f"{catalog}.warehouse": str(Path(self.folder) / "iceberg"),
        }

    def _jars(self) -> dict[str, str]:
        import pyspark

        needed = coordinates(self.format, self._version)
        home = os.environ.get("SPARK_HOME") or os.path.dirname(pyspark.__file__)
        here = local_jars(needed, home)
        if here is None:
            return {"spark.jars.packages": needed}
        return {"spark.jars": ",".join(here)} if here else {}

    def _make_schema(self) -> None:
        spark = self._session
        if self.options.is_local:
            catalog = "spark_catalog" if self.format == "delta" else _CATALOG
        else:
            catalog = self.options.catalog or spark.catalog.currentCatalog()
        self._names = (catalog, self.options.schema or scratch.new_name())
        schema = ".".join(map(scratch.plain, self._names))
        if not self.options.is_local:
            scratch.drop_stale(spark, scratch.plain(catalog))
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {schema}")
        self._schema = schema
        self._use_schema()

    def _use_schema(self) -> None:
        """Has unqualified names mean tables of the scratch schema."""
        spark = self._session
        if self.options.remote is not None:
            for name, value in self.options.conf.items():
                spark.conf.set(name, value)
        # What is sent and what is read is in UTC.
        spark.conf.set("spark.sql.session.timeZone", "UTC")
        catalog, name = self._names
        spark.catalog.setCurrentCatalog(catalog)
        spark.catalog.setCurrentDatabase(name)

    def _why(self, error: Exception) -> str:
        if not self.options.is_local:
            where = self.options.remote or self.options.master
            return f"Spark at {where} gave no scratch schema: {_first_line(error)}"
        needed = self.options.conf.get("spark.jars.packages") or coordinates(self.format, self._version)
        if type(error).__name__ == "PySparkRuntimeError" or "Java gateway" in str(error):
            return (
                f"Spark did not come up with {needed}; what it said is above. Where this machine does not reach Maven, bring the jar "
                f"once from elsewhere: mvn dependency:get -Dartifact={needed}"
            )
        return f"Spark did not come up: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    first, *more = describe(error).splitlines()
    # Py4J says which call it was, and after it why it failed.
    return (more[0].lstrip(": ") if more and "An error occurred while calling" in first else first).rstrip(".")


def _make_default(session: Any) -> None:
    """What `SparkSession.builder.getOrCreate()` and `SparkSession.getActiveSession()` give from now on."""
    kind = type(session)
    kind._instantiatedSession = kind._activeSession = session
    jvm = session.sparkContext._jvm.SparkSession
    jvm.setDefaultSession(session._jsparkSession)
    jvm.setActiveSession(session._jsparkSession)


def _let_go(session: Any) -> None:
    """A session of Spark Connect: the server forgets it."""
    try:
        session.client.release_session()
    except Exception:
        # Spark 3 has no such call; the server forgets it after a while.
        pass
    session.client.close()


def _sweep() -> None:
    """Removes the folders of runs that were killed."""
    for folder in Path(tempfile.gettempdir()).glob("scd2check-spark-*-*"):
        owner = folder.name.split("-")[2]
        if owner.isdigit() and not _lives(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

