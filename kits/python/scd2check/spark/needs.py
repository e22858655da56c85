"""What a machine needs for Spark, found before anything starts. What is missing is said with the command that brings it."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Optional

from scd2check.errors import Unsuitable
from scd2check.spark.options import Options

#: In which a server that is there takes a connection. Spark's own client asks one that is not there again for ten minutes.
_CONNECT_SECONDS = 10

#: Java that each Spark runs on, the best known first.
_JAVA = {"3": (17, 11, 8), "4": (17, 21)}


def require_pyspark(what: str, options: Options) -> str:
    """The version of pyspark. ``what`` needs it."""
    if importlib.util.find_spec("pyspark") is None:
        raise Unsuitable(
            f"{what} takes a Spark session, and {sys.executable} has no pyspark. "
            f"Install it: {sys.executable} -m pip install 'pyspark[connect]==4.0.*'"
        )
    import pyspark

    if options.remote is None:
        return pyspark.__version__
    missing = [name for name in ("grpc", "pandas", "pyarrow") if importlib.util.find_spec(name) is None]
    if missing:
        raise Unsuitable(
            f"Spark Connect needs {' and '.join(missing)}, which {sys.executable} has not. "
            f"Install it: {sys.executable} -m pip install 'pyspark[connect]=={pyspark.__version__}'"
        )
    return pyspark.__version__


def require_java(spark: str) -> None:
    """A Java that this Spark runs on, in JAVA_HOME or on the PATH."""
    wanted = _JAVA.get(spark.split(".")[0], _JAVA["4"])
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    bring = (
        "Debian and Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17; "
        "any: pip install install-jdk && python -c \"import jdk; jdk.install('17')\", and set JAVA_HOME"
    )
    if java is None or not os.path.exists(java):
        where = f"JAVA_HOME is `{home}`, and there is no bin/java in it" if home else "there is no `java` on the PATH"
        raise Unsuitable(f"Spark {spark} needs Java {wanted[0]}, and {where}. {bring}")
    said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False).stderr
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    if found is None or int(found.group(1)) not in wanted:
        version = found.group(1) if found else (said.splitlines() or ["something else"])[0]
        raise Unsuitable(
            f"Spark {spark} runs on Java {' or '.join(map(str, wanted))}, and {java} is {version}. {bring}"
        )


def require_server(remote: str) -> None:
    """Something that listens at ``sc://host:port``, by way of whatever proxy and certificate the client itself uses."""
    import grpc
    from pyspark.sql.connect import client

    build = getattr(client, "DefaultChannelBuilder", None) or client.ChannelBuilder
    with build(remote).toChannel() as channel:
        try:
            grpc.channel_ready_future(channel).result(timeout=_CONNECT_SECONDS)
        except grpc.FutureTimeoutError as error:
            raise Unsuitable(
                f"There is no Spark Connect server at {remote}: nothing answered in {_CONNECT_SECONDS} seconds. "
                "Start one (sbin/start-connect-server.sh of Spark), or leave --spark-remote out to run Spark here"
            ) from error


def local_jars(coordinates: str, spark_home: str) -> Optional[list[str]]:
    """Jars of a table format that are here already: none to name where Spark has them, None where they have to be brought."""
    group, artifact, version = coordinates.split(":")
    if (Path(spark_home) / "jars" / f"{artifact}-{version}.jar").exists():
        return []
    maven = Path.home() / ".m2" / "repository" / Path(*group.split("."))
    # What Delta needs beside its own, of the same version.
    names = [artifact, "delta-storage"] if group == "io.delta" else [artifact]
    jars = [maven / name / version / f"{name}-{version}.jar" for name in names]
    return [str(jar) for jar in jars] if all(jar.exists() for jar in jars) else None
