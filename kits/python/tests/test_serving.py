"""The whole kit, from the harness's side: a process, its lines in and out."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

KIT = Path(__file__).resolve().parent.parent
RUNNER = KIT / "scd2check" / "runner.py"
TEXT = {"type": "text", "nullable": True}
START = {
    "op": "start",
    "id": "2",
    "key": ["k"],
    "columns": [{"name": "k", **TEXT}, {"name": "a", **TEXT}],
    "contract": {
        "columns": {"key": ["k"], "tracked": ["a"], "validFrom": "valid_from", "validTo": None},
        "types": {"k": "text", "a": "text", "valid_from": "timestamp"},
    },
}


def converse(source: str, *messages: dict[str, Any]) -> tuple[list[Any], str]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "json.py"  # A name that a careless import would confuse.
        path.write_text(source)
        run = subprocess.run(
            [sys.executable, str(RUNNER), str(path)],
            input="".join(json.dumps(message) + "\n" for message in messages),
            capture_output=True,
            text=True,
            timeout=30,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(KIT)},
        )
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr


def batch(number: int) -> dict[str, Any]:
    rows = [{"k": "1", "a": None}]
    return {"op": "apply", "id": f"b{number}", "batch": {"id": "0", "asOf": f"2026-03-0{number}T06:00:00.000000Z", "rows": rows}}


HELLO = {"op": "hello", "id": "1", "protocol": 1, "harness": "test"}
READ = {"op": "read", "id": "r"}
BYE = {"op": "bye", "id": "z"}


class Serving(unittest.TestCase):
    def test_a_function_is_served_and_its_prints_go_to_the_error_stream(self) -> None:
        source = (
            "import os\nSCD2CHECK = {'late': 'never', 'anyColumns': True, 'beginsFromTable': True}\n"
            "def apply_scd2(state, rows, keys, as_of):\n"
            "    print('printed', input if False else ''); os.system('echo from a child')\n"
            "    return (state or []) + [dict(row, valid_from=as_of) for row in rows]\n"
        )
        answers, errors = converse(source, HELLO, START, batch(1), READ, START, READ, BYE)
        hello, started, applied, read, again, empty = answers
        self.assertEqual(hello["contract"], {"late": "never"})
        self.assertEqual(hello["capabilities"], {"anyColumns": True, "beginsFromTable": True})
        self.assertEqual((started["ok"], applied["status"], again["ok"]), (True, "applied", True))
        self.assertEqual(read["rows"], [{"k": "1", "a": None, "valid_from": "2026-03-01T06:00:00.000000Z"}])
        self.assertEqual(empty["rows"], [])
        self.assertIn("printed", errors)
        self.assertIn("from a child", errors)

    def test_an_exception_is_an_error_of_the_batch_with_its_traceback(self) -> None:
        source = "def apply_scd2(state, rows, keys, as_of):\n    return 1 / 0\n"
        answers, errors = converse(source, HELLO, START, batch(1), BYE)
        self.assertEqual(answers[2]["status"], "errored")
        self.assertEqual(answers[2]["reason"], "ZeroDivisionError: division by zero")
        self.assertIn("return 1 / 0", errors)

    def test_the_contract_has_plain_names(self) -> None:
        source = (
            "class D:\n"
            "    def __init__(self, contract): self.c = contract\n"
            "    def apply(self, rows, as_of): pass\n"
            "    def read(self):\n"
            "        columns, types = self.c['columns'], self.c['types']\n"
            "        return [{'k': ','.join(columns['key'] + columns['tracked']), 'a': types[columns['validFrom']]}]\n"
        )
        answers, _ = converse(source, HELLO, START, READ, BYE)
        self.assertEqual(answers[2]["rows"], [{"k": "k,a", "a": "timestamp"}])

    def test_it_ends_where_the_harness_is_gone(self) -> None:
        answers, _ = converse("def apply_scd2(state, rows, keys, as_of):\n    return []\n", HELLO)
        self.assertEqual(len(answers), 1)

    def test_initial_rows_need_somebody_who_takes_them(self) -> None:
        source = "class D:\n    def apply(self, rows, as_of): pass\n    def read(self): return []\n"
        rows = [{"k": "1", "valid_from": "2026-03-01T06:00:00.000000Z"}]
        answers, _ = converse(source, HELLO, {**START, "dimension": rows}, BYE)
        self.assertFalse(answers[1]["ok"])
        self.assertIn("add a parameter `dimension` to its constructor", answers[1]["reason"])
        source = source.replace("class D:\n", "class D:\n    def __init__(self, dimension): self.rows = dimension\n")
        answers, _ = converse(source.replace("return []", "return self.rows"), HELLO, {**START, "dimension": rows}, READ, BYE)
        self.assertEqual(answers[2]["rows"], rows)


if __name__ == "__main__":
    unittest.main()
