"""The Python kit of scd2check: lets a Python SCD2 implementation be tested. Standard library only.

A file that defines ``apply_scd2(state, rows, keys, as_of=...)``, or a class with ``apply(rows, as_of)`` and
``read()``, needs nothing from here: ``scd2check run impl.py`` finds it. ``serve`` is for adapters written by hand.
"""

import sys

if sys.version_info < (3, 9):
    sys.exit("scd2check's Python kit needs Python 3.9 or newer; this is %s." % sys.version.split()[0])

from scd2check.errors import Rejected
from scd2check.serving import serve
from scd2check.setup import Column, Setup

__all__ = ["Column", "Rejected", "Setup", "serve"]
