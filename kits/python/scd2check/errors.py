"""Exceptions with a meaning for the harness."""

from __future__ import annotations

from scd2check.spark.errors import is_of_spark, summary


class Rejected(Exception):
    """Raise it in ``apply`` to refuse a batch. It says: nothing was changed.

    Any exception class of this name counts, so an implementation can define its own and need not import the kit.
    """


class Unsuitable(Exception):
    """What was found cannot be served. The message is for its author."""


def is_rejection(error: BaseException) -> bool:
    return any(cls.__name__ == "Rejected" for cls in type(error).__mro__)


def describe(error: BaseException) -> str:
    """Type and message, as the last line of a traceback has them."""
    text = str(error)
    if is_of_spark(error):
        text = summary(text)
    name = type(error).__name__
    return f"{name}: {text}" if text else name
