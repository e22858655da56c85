"""Line protocol 1 over standard input and output, which the kit keeps for itself.

Before user code runs, the two descriptors are copied. Then descriptor 1 is pointed at the error stream and descriptor 0
at nothing, so that whatever prints, from Python or from C, or from a program it starts, cannot end up between two
answers, and nothing but the kit reads what the harness sends.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO, Optional

VERSION = 1


class Channel:
    """One JSON object a line, in and out."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        #: Whether anybody has waited for a message yet.
        self.used = False

    def receive(self) -> Optional[dict[str, Any]]:
        """The next message, or None where the harness has gone."""
        self.used = True
        line = self._source.readline()
        if not line:
            return None
        message = json.loads(line.decode("utf-8"))
        if not isinstance(message, dict):
            raise ValueError(f"a message is a JSON object, not {message!r}")
        return message

    def send(self, message: dict[str, Any]) -> None:
        # ASCII: JSON escapes say everything, lone surrogates too, which UTF-8 cannot.
        text = json.dumps(message, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
        self._sink.write(text.encode("ascii") + b"\n")
        self._sink.flush()


_claimed: Optional[Channel] = None


def claim() -> Channel:
    """Takes standard input and output for the protocol. Later calls give the same channel."""
    global _claimed
    if _claimed is None:
        if sys.stdout is not None:
            sys.stdout.flush()
        source = os.fdopen(os.dup(0), "rb")
        sink = os.fdopen(os.dup(1), "wb")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        for stream in (sys.stdout, sys.stderr):
            # By lines, so that prints stand in order beside tracebacks, and none is lost in a crash.
            if stream is not None and hasattr(stream, "reconfigure"):
                stream.reconfigure(line_buffering=True, errors="backslashreplace")
        _claimed = Channel(source, sink)
    return _claimed
