"""The Spark session of a run, and the scratch schema that its tables are in."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any, Optional

from scd2check.errors import Unsuitable, describe
from scd2check.spark.needs import local_jars, require_java, require_pyspark, require_server
from scd2check.spark.options import Options, coordinates
from scd2check.spark.stopwatch import Stopwatch

_CATALOG = "scd2check"
_PREFIX = "scd2check_"
#: After which a schema that nobody dropped belongs to a run that was killed.
_STALE_SECONDS = 24 * 60 * 60


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

    def new_table(self, stem: str = "dim") -> str:
        """A name that no table of this run has had."""
        self._tables += 1
        return f"{self._schema}.{stem}_{self._tables}"

    def renew(self) -> None:
        """Another session on the same tables: views and settings of the last one are gone."""
        self._session = self._session.newSession()
        self._use_schema()

    def close(self) -> None:
        self.stopwatch.write()
        session, self._session = self._session, None
        try:
            if session is not None and not self.options.is_local:
                _drop(session, self._schema)
            if session is not None:
                session.stop()
        finally:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self) -> None:
        # Python's own instants, on their way to Spark and back, are read by the zone of the process.
        os.environ["TZ"] = "UTC"
        time.tzset()
        from pyspark.sql import SparkSession

        # A session that the file under test made while it was imported would go on with settings of its own.
        builder = SparkSession.builder.appName("scd2check")
        try:
            if self.options.remote is not None:
                require_server(self.options.remote)
                self._session = builder.remote(self.options.remote).getOrCreate()
                self._version = self._session.version
            else:
                self._session = self._configured(builder).getOrCreate()
                self._session.sparkContext.setLogLevel("ERROR")
            self._use_schema()
        except Unsuitable:
            raise
        except Exception as error:
            raise Unsuitable(self._why(error)) from error

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

    def _use_schema(self) -> None:
        """Makes the scratch schema, and has unqualified names mean it."""
        spark = self._session
        spark.conf.set("spark.sql.session.timeZone", "UTC")
        if self.options.is_local:
            catalog = "spark_catalog" if self.format == "delta" else _CATALOG
        else:
            catalog = self.options.catalog or spark.catalog.currentCatalog()
        spark.catalog.setCurrentCatalog(catalog)
        name = self.options.schema or f"{_PREFIX}{int(time.time()):x}_{uuid.uuid4().hex[:8]}"
        self._schema = f"{catalog}.{name}"
        if not self.options.is_local:
            _drop_stale(spark, catalog)
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {self._schema}")
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
    return describe(error).splitlines()[0].rstrip(".")


def _drop(spark: Any, schema: str) -> None:
    """Not every catalog takes CASCADE at its word."""
    for row in spark.sql(f"SHOW TABLES IN {schema}").collect():
        if not row["isTemporary"]:
            spark.sql(f"DROP TABLE IF EXISTS {schema}.`{row['tableName']}`")
    spark.sql(f"DROP SCHEMA IF EXISTS {schema}")


def _drop_stale(spark: Any, catalog: str) -> None:
    try:
        schemas = spark.sql(f"SHOW SCHEMAS IN {catalog} LIKE '{_PREFIX}*'").collect()
    except Exception:
        # A catalog that never held anything may not even list it. What is stale can wait.
        return
    for name, *_ in schemas:
        made = name[len(_PREFIX) :].split("_")[0]
        try:
            stale = time.time() - int(made, 16) > _STALE_SECONDS
        except ValueError:
            continue
        if stale:
            _drop(spark, f"{catalog}.{name}")


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

