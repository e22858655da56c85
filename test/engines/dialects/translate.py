"""
Reads the statements of a dialect with sqlglot's parser of that dialect, and prints as JSON how many there are, which functions the parser
does not know, and, where a Parquet file is named, the rows that each gives there once sqlglot has translated it for DuckDB.
"""

import json
import sys

import duckdb
import sqlglot
from sqlglot import exp


def as_there(statement):
    """What DuckDB has under another name, or prints in another form, and sqlglot leaves as it is."""
    for call in list(statement.find_all(exp.Anonymous)):
        if call.name == "SYSTEM$TYPEOF":
            call.replace(exp.Typeof(this=call.expressions[0].copy()))
    # Trino prints six digits of a TIMESTAMP(6), DuckDB none where they are zeros.
    for part in list(statement.find_all(exp.Substring)):
        if isinstance(part.args.get("start"), exp.Neg):
            part.this.replace(exp.func("strftime", part.this.this.copy(), exp.Literal.string("%f"), dialect="duckdb"))
    return statement.sql(dialect="duckdb")


dialect, path, *parquet = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    statements = [one for one in sqlglot.parse(file.read(), read=dialect) if one is not None]
answer = {
    "statements": [type(one).__name__ for one in statements],
    "unknown": sorted({call.name for one in statements for call in one.find_all(exp.Anonymous)}),
}
if parquet:
    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(f"CREATE VIEW planted AS FROM '{parquet[0]}'")
    answer["rows"] = [
        sorted(str(row) for row in connection.execute(as_there(one)).fetchall()) for one in statements
    ]
print(json.dumps(answer))
