"""What is recognised as meant for Spark, and what is said where Spark is not there. Without Spark."""

import os
import tempfile
import types
import unittest
from pathlib import Path
from typing import Any
from unittest import mock


from scd2check.errors import Unsuitable
from scd2check.spark import scratch
from scd2check.spark.errors import summary
from scd2check.spark.needs import local_jars, require_java, require_pyspark
from scd2check.spark.options import Options, coordinates, read_options
from scd2check.spark.recognise import spark_shape


def function(signature: str, **names: Any) -> Any:
    scope = dict(names)
    exec(f"def apply_scd2({signature}): pass", scope)
    return scope["apply_scd2"]


class Recognising(unittest.TestCase):
    def test_a_table_a_query_and_a_day_are_a_daily_merge(self) -> None:
        self.assertEqual(spark_shape(function("spark, dim_ident, src_values_sql, batch_date")), "query")

    def test_a_source_folder_and_a_checkpoint_are_a_stream(self) -> None:
        self.assertEqual(spark_shape(function("spark, source_dir, table, checkpoint")), "stream")

    def test_a_state_is_a_frame_where_the_module_uses_pyspark(self) -> None:
        pyspark = types.ModuleType("pyspark.sql.functions")
        self.assertEqual(spark_shape(function("state, extract, keys, as_of", F=pyspark)), "frame")
        self.assertIsNone(spark_shape(function("state, extract, keys, as_of")))

    def test_what_is_no_function_is_not_for_spark(self) -> None:
        self.assertIsNone(spark_shape(type("Dim", (), {"apply": None})))


class Needs(unittest.TestCase):
    def test_a_python_without_pyspark_is_told_how_to_get_it(self) -> None:
        with mock.patch("importlib.util.find_spec", return_value=None):
            with self.assertRaisesRegex(Unsuitable, "has no pyspark. Install it: .*pip install"):
                require_pyspark("`apply_scd2`", Options())

    def test_no_java_is_said_with_the_command_that_brings_it(self) -> None:
        with mock.patch.dict(os.environ, {"JAVA_HOME": "/nowhere"}):
            with self.assertRaisesRegex(Unsuitable, "JAVA_HOME is `/nowhere`.*apt-get install openjdk-17"):
                require_java("4.0.3")

    def test_a_java_of_another_version_is_named(self) -> None:
        with tempfile.TemporaryDirectory() as home:
            java = Path(home) / "bin" / "java"
            java.parent.mkdir()
            java.write_text("#!/bin/sh\necho 'openjdk version \"1.8.0_402\"' >&2\n")
            java.chmod(0o755)
            with mock.patch.dict(os.environ, {"JAVA_HOME": home}):
                with self.assertRaisesRegex(Unsuitable, "runs on Java 17 or 21, and .* is 8"):
                    require_java("4.0.3")
                require_java("3.5.1")

    def test_an_unknown_spark_names_those_that_are_known(self) -> None:
        self.assertEqual(
            coordinates("iceberg", "4.0.3"), "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.10.1"
        )
        with self.assertRaisesRegex(Unsuitable, "Spark 2.4.8, .* Spark 3.4, 3.5, 4.0 only"):
            coordinates("iceberg", "2.4.8")

    def test_jars_of_mavens_folder_are_used_where_all_of_them_are_there(self) -> None:
        with tempfile.TemporaryDirectory() as home, mock.patch("pathlib.Path.home", return_value=Path(home)):
            self.assertIsNone(local_jars("io.delta:delta-spark_2.13:4.0.0", home))
            for name in ("delta-spark_2.13", "delta-storage"):
                jar = Path(home) / f".m2/repository/io/delta/{name}/4.0.0/{name}-4.0.0.jar"
                jar.parent.mkdir(parents=True)
                jar.touch()
            self.assertEqual(len(local_jars("io.delta:delta-spark_2.13:4.0.0", home) or []), 2)

    def test_where_spark_runs_is_told_by_the_harness_or_by_sparks_own_variable(self) -> None:
        with mock.patch.dict(os.environ, {"SCD2CHECK_SPARK": '{"master": "spark://a:7077"}', "SPARK_REMOTE": ""}):
            self.assertEqual(read_options(), Options(master="spark://a:7077"))
        with mock.patch.dict(os.environ, {"SCD2CHECK_SPARK": "", "SPARK_REMOTE": "sc://a"}):
            self.assertFalse(read_options().is_local)


class Errors(unittest.TestCase):
    def test_the_error_inside_a_stream_is_the_one_that_is_told(self) -> None:
        text = (
            "[STREAM_FAILED] Query [id = 1] terminated with exception: [FOREACH_BATCH_USER_FUNCTION_ERROR] An error\n"
            "Traceback (most recent call last):\n  File \"x.py\", line 1\n"
            "py4j.protocol.Py4JJavaError: o1\n: org.apache.spark.SparkException: [INTERNAL_ERROR] Couldn't find it\n\tat org"
        )
        self.assertEqual(summary(text), "[INTERNAL_ERROR] Couldn't find it")

    def test_the_users_own_error_inside_a_stream_is_told(self) -> None:
        text = "[STREAM_FAILED] Query: [FOREACH_BATCH_USER_FUNCTION_ERROR] An error\nValueError: no such tier\n\tat org"
        self.assertEqual(summary(text), "ValueError: no such tier")

    def test_of_errors_one_in_the_other_the_last_is_told(self) -> None:
        text = (
            "[STREAM_FAILED] Query: [FOREACH_BATCH_USER_FUNCTION_ERROR] An error\nValueError: first\n\n"
            "During handling of the above exception, another exception occurred:\n\nKeyError: last\n\n\tat org"
        )
        self.assertEqual(summary(text), "KeyError: last")

    def test_what_has_no_class_is_told_without_its_java(self) -> None:
        self.assertEqual(summary("it broke\n\nJVM stacktrace:\nat org"), "it broke")


class Scratch(unittest.TestCase):
    def test_a_schema_is_stale_a_day_after_its_run(self) -> None:
        with mock.patch("time.time", return_value=0x6B0DF812):
            name = scratch.new_name()
            self.assertFalse(scratch.is_stale(name))
        with mock.patch("time.time", return_value=0x6B0DF812 + 24 * 60 * 60 + 1):
            self.assertTrue(scratch.is_stale(name))

    def test_a_schema_of_somebody_else_is_none_of_ours_however_it_is_called(self) -> None:
        for name in ("scd2check_2025", "scd2check_ada", "scd2check_00000001", "scd2check_00000001_report", "xscd2check_00000001_00000001"):
            self.assertFalse(scratch.is_stale(name), name)

    def test_names_are_quoted_where_they_have_to_be(self) -> None:
        self.assertEqual([scratch.plain("lake"), scratch.plain("my-lake")], ["lake", "`my-lake`"])


if __name__ == "__main__":
    unittest.main()
