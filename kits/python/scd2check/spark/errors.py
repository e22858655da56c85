"""What a Spark error says, without the hundreds of lines of Java that come with it."""

from __future__ import annotations

import re

#: Spark's errors begin with their class in brackets; those of streams wrap the one that matters.
_CLASS = re.compile(r"\[[A-Z][A-Z0-9_.]+\][^\n]*(?:\n(?!\s*(?:at |\+|=|JVM|Traceback|Caused by|File ))[^\n]+)*")
_WRAPPERS = ("[STREAM_FAILED]", "[FOREACH_BATCH_USER_FUNCTION_ERROR]", "[FOREACH_USER_FUNCTION_ERROR]")
_PYTHON = re.compile(r"^(?:pyspark\.errors\.)?[\w.]*(?:Error|Exception): .+$", re.MULTILINE)
_LONGEST = 1000


def is_of_spark(error: BaseException) -> bool:
    return type(error).__module__.split(".")[0] in ("pyspark", "py4j")


def summary(text: str) -> str:
    """The error that matters, at most a thousand characters of it."""
    told = [found.group(0) for found in _CLASS.finditer(text)]
    inner = [each for each in told if not each.startswith(_WRAPPERS)]
    wrapped = any(each.startswith(_WRAPPERS) for each in told)
    if inner:
        text = inner[0]
    elif wrapped:
        # The user's own function raised: the last line of its traceback, before those of Java.
        raised = _PYTHON.findall(text.split("\n\tat ")[0])
        text = raised[-1] if raised else text
    text = text.split("JVM stacktrace:")[0].strip()
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
