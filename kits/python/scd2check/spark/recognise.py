"""Which functions are meant for Spark, by what their parameters are called and what their module imports."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from typing import Any, Optional

from scd2check.calling import meant_by
from scd2check.errors import Unsuitable
from scd2check.spark.options import FORMATS, read_options

_STREAM = ("spark", "source_dir", "table", "checkpoint")
_QUERY = ("spark", "table", "query", "as_of")
_STATE = ("state", "rows", "as_of")


def spark_shape(function: Any) -> Optional[str]:
    """``stream``, ``query`` or ``frame``; None where a function is not for Spark."""
    if not inspect.isfunction(function):
        return None
    if set(_STREAM) <= meant_by(function, _STREAM):
        return "stream"
    if set(_QUERY) <= meant_by(function, _QUERY):
        return "query"
    if set(_STATE) <= meant_by(function, _STATE) and "pyspark" in _libraries(function):
        return "frame"
    return None


def as_spark_target(function: Callable[..., Any], shape: str, declared: Mapping[str, Any]) -> Any:
    """``declared``: what the file says of itself; ``format`` is the kind of tables, Iceberg's unless given.

    Raises ``Unsuitable`` where this machine lacks what Spark needs.
    """
    from scd2check.spark.session import SparkRun
    from scd2check.spark.targets import FrameTarget, QueryTarget, StreamTarget

    kinds = {"stream": StreamTarget, "query": QueryTarget, "frame": FrameTarget}
    run = SparkRun(f"`{function.__name__}`", read_options(), _format(function, declared))
    _ship_by_value(function)
    return kinds[shape](function, run)


def _ship_by_value(function: Callable[..., Any]) -> None:
    """Spark's workers, which run functions of the file on rows, cannot import it: it goes to them as it is."""
    from pyspark import cloudpickle

    module = sys.modules.get(function.__module__)
    if module is not None:
        cloudpickle.register_pickle_by_value(module)


def _format(function: Callable[..., Any], declared: Mapping[str, Any]) -> str:
    chosen = declared.get("format") or ("delta" if "delta" in _libraries(function) else "iceberg")
    if chosen not in FORMATS:
        raise Unsuitable(f"SCD2CHECK['format'] is {chosen!r}; it is one of {', '.join(FORMATS)}.")
    return chosen


def _libraries(function: Callable[..., Any]) -> set[str]:
    """The packages that the function's module has names of."""
    values = list(getattr(function, "__globals__", {}).values())
    homes = [value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None) for value in values]
    annotated = [str(getattr(hint, "__module__", hint)) for hint in getattr(function, "__annotations__", {}).values()]
    return {home.split(".")[0] for home in [*homes, *annotated] if isinstance(home, str)}
