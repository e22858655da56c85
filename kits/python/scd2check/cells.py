"""Cells: what is JSON on the wire, and what an implementation sees.

========================  ==================================================
column type               Python value
========================  ==================================================
``text``                  ``str``
``integer``, ``bigint``   ``int``
``decimal(p,s)``          ``decimal.Decimal``
``double``                ``float``
``boolean``               ``bool``
``date``                  ``datetime.date``
``timestamp``             ``datetime.datetime``, *naive*, in UTC
========================  ==================================================

and ``None`` for NULL. Instants are naive because that is what implementations compare them with
(``datetime(2026, 3, 1, 6)``); Python refuses to compare naive with aware ones. What comes back may be either: an aware
``datetime`` is converted to UTC. Numbers of numpy, missing values of pandas (``NaN`` in a column that is no double,
``NaT``, ``NA``) are understood without importing either.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Optional

_SAFE_INTEGER = 2**53 - 1


def decode(value: Any, column_type: Optional[str], name: str = "") -> Any:
    """The Python value of a cell that the harness sent."""
    if value is None or column_type is None:
        return value
    if column_type == "timestamp":
        return decode_instant(value, name)
    if column_type == "date":
        return _in_range(dt.date.fromisoformat, value, name)
    if column_type in ("integer", "bigint"):
        return int(value)
    if column_type == "double":
        return float(value)
    if column_type.startswith("decimal"):
        return Decimal(value)
    return value


def decode_instant(text: str, name: str = "") -> Any:
    """A naive ``datetime`` in UTC; a ``date`` where the text is one, as the batches of a day-grain contract have it."""
    if len(text) == 10:
        return _in_range(dt.date.fromisoformat, text, name)
    return _in_range(_naive, text, name)


def encode(value: Any, column_type: Optional[str] = None) -> Any:
    """The JSON value of a cell. What JSON would damage goes as text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) <= _SAFE_INTEGER else str(int(value))
    if isinstance(value, float):
        return _encode_float(value, column_type)
    if isinstance(value, Decimal):
        return format(value, "f") if value.is_finite() else str(value)
    if isinstance(value, dt.datetime):
        return _encode_datetime(value)
    if isinstance(value, dt.date):
        return value.isoformat()
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    item = getattr(value, "item", None)
    if callable(item) and type(value).__module__.split(".")[0] == "numpy":
        plain = item()
        return encode(plain, column_type) if type(plain) is not type(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): encode(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(inner) for inner in value]
    return str(value)


def _encode_float(value: float, column_type: Optional[str]) -> Any:
    if column_type == "double":
        # repr has all the digits; JSON has no NaN, no Infinity, and readers that lose the sign of -0.0.
        return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN" if value != value else repr(float(value)))
    if value != value:
        return None if column_type is not None else "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if column_type in ("integer", "bigint") and value.is_integer():
        # A pandas column of integers with a missing value is one of floats.
        return encode(int(value))
    return repr(float(value)) if column_type is not None and column_type.startswith("decimal") else float(value)


def _encode_datetime(value: dt.datetime) -> Optional[str]:
    if value != value:  # pandas.NaT is a datetime that is not equal to itself.
        return None
    if value.tzinfo is not None:
        value = value.astimezone(dt.timezone.utc).replace(tzinfo=None)
    # A plain datetime: subclasses print more than microseconds.
    plain = dt.datetime(
        value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond
    )
    return plain.isoformat(timespec="microseconds") + "Z"


def _naive(text: str) -> dt.datetime:
    # Python before 3.11 does not know the Z.
    return dt.datetime.fromisoformat(text[:-1] if text.endswith("Z") else text)


def _in_range(parse: Any, text: str, name: str) -> Any:
    try:
        return parse(text)
    except ValueError:
        where = f" of column {name}" if name else ""
        raise ValueError(
            f"{text!r}{where} is an instant that Python's datetime cannot hold (years 1 to 9999)"
        ) from None
