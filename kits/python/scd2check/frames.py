"""Data frames in the place of rows, for functions that are written for them.

A function ``apply_scd2(state, extract, keys, as_of=...)`` says in one of three ways what it takes, the first that says
something wins; none is to call it and see, which could have effects:

1. ``SCD2CHECK = {"rows": "pandas"}``, or ``"polars"``, or ``"dicts"``;
2. the annotation of its state or rows: ``extract: pd.DataFrame``;
3. its module has names of one of the two libraries, and the function neither goes over its rows itself
   (``for row in extract``) nor makes a frame of them (``pd.DataFrame(extract)``).

Columns have one type whatever they hold, NULLs or none, so that a function need not expect two:

================  ==========================================  =====================
column type       pandas                                      Polars
================  ==========================================  =====================
``text``          ``object``: ``str``, ``None``               ``String``
``integer``       ``Int64``                                   ``Int32``
``bigint``        ``Int64``                                   ``Int64``
``decimal(p,s)``  ``object``: ``Decimal``, ``None``           ``Decimal(p, s)``
``double``        ``float64``, where NaN is NULL              ``Float64``
``boolean``       ``boolean``                                 ``Boolean``
``date``          ``object``: ``datetime.date``, ``None``     ``Date``
``timestamp``     ``datetime64[us]``                          ``Datetime("us")``
================  ==========================================  =====================
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Protocol

from scd2check.calling import named_for
from scd2check.errors import Unsuitable

Rows = Sequence[Mapping[str, Any]]


class Frames(Protocol):
    """One library's frames, to and from rows."""

    #: What functions over them cannot be held to.
    contract: Mapping[str, Any]

    def frame(self, rows: Rows, types: Mapping[str, str]) -> Any: ...

    def rows(self, frame: Any) -> Any: ...


class PandasFrames:
    """Missing values are of many kinds in pandas, and NaN is one of them: NULL and NaN cannot be told apart there."""

    contract: Mapping[str, Any] = {"finiteDoubles": True}
    _DTYPES = {"integer": "Int64", "bigint": "Int64", "double": "float64", "boolean": "boolean", "timestamp": "datetime64[us]"}

    def frame(self, rows: Rows, types: Mapping[str, str]) -> Any:
        import pandas

        def column(name: str, kind: str) -> Any:
            cells = [row.get(name) for row in rows]
            return pandas.Series(cells, dtype=self._DTYPES.get(kind, "object"))

        return pandas.DataFrame({name: column(name, kind) for name, kind in types.items()})

    def rows(self, frame: Any) -> Any:
        import pandas

        if not isinstance(frame, pandas.DataFrame):
            return frame
        names = list(frame.columns)
        # As objects first: an integer stays one beside a missing value, and each missing value is None.
        columns = [frame.iloc[:, at].astype(object) for at in range(len(names))]
        cells = [column.where(column.notna(), None).tolist() for column in columns]
        return [dict(zip(names, row)) for row in zip(*cells)]


class PolarsFrames:
    contract: Mapping[str, Any] = {}

    def frame(self, rows: Rows, types: Mapping[str, str]) -> Any:
        import polars

        def dtype(kind: str) -> Any:
            if kind.startswith("decimal"):
                digits, scale = kind[len("decimal(") : -1].split(",")
                return polars.Decimal(int(digits), int(scale))
            return {
                "integer": polars.Int32, "bigint": polars.Int64, "double": polars.Float64, "boolean": polars.Boolean,
                "date": polars.Date, "timestamp": polars.Datetime("us"),
            }.get(kind, polars.String)  # fmt: skip

        schema = {name: dtype(kind) for name, kind in types.items()}
        return polars.DataFrame({name: [row.get(name) for row in rows] for name in types}, schema=schema, strict=True)

    def rows(self, frame: Any) -> Any:
        import polars

        if isinstance(frame, polars.LazyFrame):
            frame = frame.collect()
        return frame.to_dicts() if isinstance(frame, polars.DataFrame) else frame


LIBRARIES: Mapping[str, Callable[[], Frames]] = {"pandas": PandasFrames, "polars": PolarsFrames}


def frames_for(function: Callable[..., Any], declared: Mapping[str, Any]) -> Optional[Frames]:
    """The frames that a function takes; None where it takes rows. ``declared``: what its file says of itself."""
    chosen = declared.get("rows")
    if chosen is not None:
        if chosen not in (*LIBRARIES, "dicts"):
            raise Unsuitable(f"SCD2CHECK['rows'] is {chosen!r}; it is one of {', '.join(LIBRARIES)} and dicts.")
        return LIBRARIES[chosen]() if chosen in LIBRARIES else None
    library = _annotated(function) or _imported(function)
    return LIBRARIES[library]() if library in LIBRARIES else None


def _table_parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return named_for(function, ("state", "rows"))


#: What annotations of rows are made of.
_ROWS = {"list", "sequence", "iterable", "collection", "tuple"}


def _annotated(function: Callable[..., Any]) -> Optional[str]:
    """The library of an annotation, evaluated or still a text: ``pd.DataFrame``, ``Optional[polars.DataFrame]``; or `dicts`."""
    scope = getattr(function, "__globals__", {})
    for parameter in _table_parameters(function):
        hint = parameter.annotation
        if hint is inspect.Parameter.empty:
            continue
        if _ROWS & set(re.findall(r"\w+", str(hint).lower())):
            return "dicts"
        if isinstance(hint, str):
            hint = _evaluated(hint, scope)
        found = [library for library in LIBRARIES if f"{library}." in str(hint)]
        if len(found) == 1:
            return found[0]
    return None


def _evaluated(hint: str, scope: Mapping[str, Any]) -> Any:
    """Names of the annotation, each as what it stands for; annotations may use syntax that this Python cannot run."""
    try:
        names = {node.id for node in ast.walk(ast.parse(hint, mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError:
        return hint
    homes = [getattr(scope.get(name), "__module__", None) or getattr(scope.get(name), "__name__", "") for name in names]
    return " ".join(f"{home}." for home in homes)


def _imported(function: Callable[..., Any]) -> Optional[str]:
    """The library that its module has names of, if that is one, and the function does not take its rows as rows."""
    values = getattr(function, "__globals__", {}).values()
    homes = [value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None) for value in values]
    packages = {home.split(".")[0] for home in homes if isinstance(home, str)}
    found = [library for library in LIBRARIES if library in packages]
    return found[0] if len(found) == 1 and not _takes_rows(function) else None


def _takes_rows(function: Callable[..., Any]) -> bool:
    """Whether its own text goes over its state or rows, or makes a frame of them."""
    names = {parameter.name for parameter in _table_parameters(function)}
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return False
    return any(_goes_over(node, names) or _makes_frame(node, names) for node in ast.walk(tree))


def _goes_over(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, (ast.For, ast.comprehension)) and _is_rows(node.iter, names)


def _makes_frame(node: ast.AST, names: set[str]) -> bool:
    if not isinstance(node, ast.Call):
        return False
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    makes = called in ("DataFrame", "LazyFrame", "from_dicts", "from_records")
    return makes and any(_is_rows(argument, names) for argument in [*node.args, *(key.value for key in node.keywords)])


def _is_rows(node: ast.AST, names: set[str]) -> bool:
    """``rows``, or ``rows or []``, ``list(rows)``, ``sorted(rows, ...)``, ``enumerate(rows)``."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.BoolOp):
        return any(_is_rows(value, names) for value in node.values)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("list", "sorted", "enumerate", "reversed", "tuple"):
        return any(_is_rows(argument, names) for argument in node.args)
    return False
