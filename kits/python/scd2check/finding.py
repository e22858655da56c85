"""Finds the implementation in a module that knows nothing of the kit."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from scd2check.calling import meanings
from scd2check.errors import Unsuitable
from scd2check.spark.recognise import spark_shape

LOOKED_FOR = """\
Looked for, in this order:
  - a function `apply_scd2(state, rows, keys, as_of=...)` that returns the new state as a list of dicts
  - a function of a Spark session: `(spark, dim_ident, src_values_sql, batch_date)` or `(spark, source_dir, table, checkpoint)`
  - a class with `apply(rows, as_of)` and `read()`
  - functions `start()`, `apply(rows, as_of)` and `read()`
  - one function that takes a state, rows and an `as_of`
  - a call of `serve(...)` from the kit
A program that reads a batch from standard input is tested as a command: scd2check -- python3 <file>"""


def find(module: ModuleType, file: str) -> Any:
    """What to serve: a function, a class, or the module itself. Raises ``Unsuitable`` where nothing can be recognised."""
    named = getattr(module, "apply_scd2", None)
    if callable(named):
        return named
    on_spark = [function for function in _own(module, inspect.isfunction) if spark_shape(function) is not None]
    if on_spark:
        return _only(on_spark, file, "functions that take a Spark session")
    classes = _leaves([cls for cls in _own(module, inspect.isclass) if _is_stateful(cls)])
    if classes:
        return _only(classes, file, "classes with `apply` and `read`")
    if all(inspect.isfunction(getattr(module, name, None)) for name in ("start", "apply", "read")):
        return module
    functions = [f for f in _own(module, inspect.isfunction) if {"state", "rows", "as_of"} <= meanings(f)]
    if functions:
        return _only(functions, file, "functions that take a state, rows and an `as_of`")
    raise Unsuitable(f"{file} defines nothing that can be tested.\n{LOOKED_FOR}\n{_defined(module)}")


def _own(module: ModuleType, kind: Callable[[Any], bool]) -> list[Any]:
    """Members that the module defines itself, not those that it imports."""
    return [
        member
        for name, member in vars(module).items()
        if kind(member) and getattr(member, "__module__", None) == module.__name__ and not name.startswith("_")
    ]


def _is_stateful(cls: Any) -> bool:
    return not inspect.isabstract(cls) and all(callable(getattr(cls, name, None)) for name in ("apply", "read"))


def _leaves(classes: list[Any]) -> list[Any]:
    return [cls for cls in classes if not any(other is not cls and issubclass(other, cls) for other in classes)]


def _only(found: list[Any], file: str, what: str) -> Any:
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"`{member.__name__}`" for member in found)
    raise Unsuitable(
        f"{file} defines several {what}: {names}. Say which one is meant: put the others in another file, or end "
        f"the file with\n  if __name__ == '__main__':\n    from scd2check import serve\n    serve({found[0].__name__})"
    )


def _defined(module: ModuleType) -> str:
    lines = []
    for function in _own(module, inspect.isfunction):
        lines.append(f"  - function `{function.__name__}{inspect.signature(function)}`")
    for cls in _own(module, inspect.isclass):
        missing = [name for name in ("apply", "read") if not callable(getattr(cls, name, None))]
        without = f", without {' and '.join(f'`{name}`' for name in missing)}" if missing else ", which is abstract"
        lines.append(f"  - class `{cls.__name__}`{without}")
    if not lines:
        return "It defines no function and no class at all."
    return "\n".join(["It defines:", *lines])
