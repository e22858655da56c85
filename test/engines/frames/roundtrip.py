"""Cells to a frame and back, for many random tables: whatever the harness sends has to come back as it was.

``python roundtrip.py <kit> pandas|polars <tables>`` prints how many cells survived, or the first that did not.
"""

import random
import sys

sys.path.insert(0, sys.argv[1])

from scd2check.frames import LIBRARIES
from scd2check.rows import encode_rows, rows_of
from scd2check.setup import decode_rows

#: As the harness writes cells, by type.
CELLS = {
    "text": ["", " ", "A", "NaN", "None", "nan", "NULL", "a|b", "Ä", "A\u0308", "\U0001f600", "x" * 300],
    "integer": [0, 1, -1, 2**31 - 1, -(2**31)],
    "bigint": [0, 1, 2**53 - 1, "9007199254740993", "9223372036854775807", "-9223372036854775808"],
    "decimal(18,4)": ["0.0000", "1.5000", "-1.5000", "99999999999999.9999", "12345678901234.5678"],
    "double": ["0.0", "-0.0", "1.5", "0.1", "1e+300", "5e-324"],
    "boolean": [True, False],
    "date": ["0001-01-01", "1969-12-31", "2026-03-01", "9999-12-31"],
    "timestamp": [
        "0001-01-01T00:00:00.000000Z", "1677-01-01T00:00:00.000001Z", "1969-12-31T23:59:59.999999Z",
        "2026-03-01T06:00:00.123456Z", "9999-12-31T23:59:59.999999Z",
    ],
}  # fmt: skip
#: Polars tells NaN from NULL; in pandas it is NULL, so none is sent there.
ONLY_POLARS = ["NaN", "Infinity", "-Infinity"]


def main():
    library, tables = sys.argv[2], int(sys.argv[3])
    frames = LIBRARIES[library]()
    cells = dict(CELLS)
    if library == "polars":
        cells["double"] = [*CELLS["double"], *ONLY_POLARS]
    draw = random.Random(1)
    survived = 0
    for _ in range(tables):
        types = {f"c{at}": draw.choice(list(cells)) for at in range(draw.randint(1, 6))}
        nulls = {name: draw.choice([0.0, 0.3, 1.0]) for name in types}
        sent = [
            {name: None if draw.random() < nulls[name] else draw.choice(cells[kind]) for name, kind in types.items()}
            for _ in range(draw.randint(0, 5))
        ]
        frame = frames.frame(decode_rows(sent, types), types)
        # Twice: the state of a function goes in and out with each load.
        again = frames.frame(rows_of(frames.rows(frame)), types)
        for came in (frame, again):
            back = encode_rows(rows_of(frames.rows(came)), types)
            if plain(back) != plain(sent):
                sys.exit(f"{types}\nsent {plain(sent)}\nback {plain(back)}\n{came.dtypes}")
        survived += sum(len(row) for row in sent)
    print(survived)


def plain(rows):
    """Numbers as text: both forms are cells."""
    return [{name: str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell for name, cell in row.items()} for row in rows]


if __name__ == "__main__":
    main()
