"""The two shapes of an implementation, as one: begin a session, apply a batch, read the rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Optional, Protocol

from scd2check.calling import Plan
from scd2check.errors import Unsuitable
from scd2check.frames import frames_for
from scd2check.rows import materialize
from scd2check.setup import Setup
from scd2check.spark.recognise import as_spark_target, spark_shape


class Target(Protocol):
    """One implementation, served session after session."""

    name: str

    def start(self, setup: Setup) -> None: ...

    def apply(self, rows: list[dict[str, Any]], as_of: Any) -> None: ...

    def read(self) -> Any: ...

    def close(self) -> None: ...


def as_target(target: Any, declared: Mapping[str, Any]) -> Target:
    """A class or object with ``apply`` and ``read``, a function ``(state, rows, keys, as_of)``, or one of a Spark session.
    ``declared``: what ``SCD2CHECK`` says beside the contract."""
    shape = spark_shape(target)
    if shape is not None:
        return as_spark_target(target, shape, declared)
    if callable(getattr(target, "apply", None)) and callable(getattr(target, "read", None)):
        return ObjectTarget(target)
    if callable(target) and not inspect.isclass(target):
        return FunctionTarget(target, declared)
    missing = [name for name in ("apply", "read") if not callable(getattr(target, name, None))]
    raise Unsuitable(
        f"`{_name(target)}` has no {' and no '.join(f'`{name}`' for name in missing)}. Give `serve` a function "
        "`(state, rows, keys, as_of)`, or a class or object with `apply(rows, as_of)` and `read()`."
    )


class FunctionTarget:
    """A function from the last state to the next. The first state is None, or the rows that the dimension begins with."""

    def __init__(self, function: Callable[..., Any], declared: Mapping[str, Any]) -> None:
        self.name = _name(function)
        self._plan = Plan(function, ("state", "rows", "keys", "as_of", "contract"), f"function `{self.name}`")
        #: Where it takes data frames, how rows become frames and the other way round.
        self._frames = frames_for(function, declared)
        self.CONTRACT = self._frames.contract if self._frames is not None else {}
        self._state: Any = None
        self._setup: Optional[Setup] = None

    def start(self, setup: Setup) -> None:
        self._setup = setup
        known = setup.dimension_types
        named = dict.fromkeys(name for row in setup.dimension or [] for name in row)
        self._state = self._given(setup.dimension, {name: known.get(name, "text") for name in named})

    def apply(self, rows: list[dict[str, Any]], as_of: Any) -> None:
        assert self._setup is not None
        given = {
            "state": self._state,
            "rows": self._given(rows, self._setup.batch_types),
            "keys": list(self._setup.keys),
            "as_of": as_of,
            "contract": self._setup.contract,
        }
        state = materialize(self._plan.call(given))
        if state is None:
            form = "a list of dicts" if self._frames is None else "a data frame"
            raise TypeError(f"`{self.name}` returned None; it has to return the new state, as {form}")
        self._state = state

    def read(self) -> Any:
        return self._state if self._frames is None else self._frames.rows(self._state)

    def close(self) -> None:
        self._state = None

    def _given(self, rows: Optional[list[dict[str, Any]]], types: Mapping[str, str]) -> Any:
        return rows if rows is None or self._frames is None else self._frames.frame(rows, types)


class ObjectTarget:
    """An object that keeps its own state: a class, made anew for each session, or an instance with ``start``."""

    def __init__(self, target: Any) -> None:
        self.name = _name(target)
        offered = ("keys", "contract", "columns", "dimension", "setup")
        if inspect.isclass(target):
            self._begin = Plan(target, offered, f"class `{self.name}`")
            self._object: Any = None
        elif callable(getattr(target, "start", None)):
            self._begin = Plan(target.start, ("setup", *offered[:-1]), f"`start` of `{self.name}`")
            self._object = target
        else:
            raise Unsuitable(
                f"`{self.name}` has no `start`, so it could serve one session only, and many are needed. "
                "Give it a `start()` that empties it, or pass the class itself, which is then made anew for each session."
            )
        self._is_class = inspect.isclass(target)
        self._apply: Optional[Plan] = None

    def start(self, setup: Setup) -> None:
        if setup.dimension is not None and not (self._begin.takes("dimension") or self._begin.takes("setup")):
            raise Unsuitable(
                f"`{self.name}` was given rows to begin with, and takes none: add a parameter `dimension` to "
                f"{'its constructor' if self._is_class else '`start`'}."
            )
        given = {
            "keys": list(setup.keys),
            "contract": setup.contract,
            "columns": setup.columns,
            "dimension": setup.dimension,
            "setup": setup,
        }
        if self._is_class:
            self.close()
            self._object = self._begin.call(given)
        else:
            self._begin.call(given)
        self._apply = Plan(self._object.apply, ("rows", "as_of"), f"`apply` of `{self.name}`")

    def apply(self, rows: list[dict[str, Any]], as_of: Any) -> None:
        assert self._apply is not None
        self._apply.call({"rows": rows, "as_of": as_of})

    def read(self) -> Any:
        return self._object.read()

    def close(self) -> None:
        close = getattr(self._object, "close", None)
        if callable(close):
            close()


def _name(target: Any) -> str:
    return str(getattr(target, "__name__", None) or type(target).__name__)
