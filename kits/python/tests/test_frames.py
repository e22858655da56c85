"""Which functions are given data frames. The libraries themselves are tried in test/engines/frames.test.ts."""

import types
import unittest

from scd2check.errors import Unsuitable
from scd2check.frames import PandasFrames, PolarsFrames, frames_for


def library(name):
    module = types.ModuleType(name)
    module.DataFrame = type("DataFrame", (), {"__module__": f"{name}.core.frame"})
    return module


def defined(source, **names):
    """The function that a file defines; its source can be read, as that of a file can."""
    import linecache

    file = f"<{abs(hash(source))}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope = dict(names)
    exec(compile(source, file, "exec"), scope)
    return scope["apply_scd2"]


def chosen(source, declared=None, **names):
    found = frames_for(defined(source, **names), declared or {})
    return None if found is None else {PandasFrames: "pandas", PolarsFrames: "polars"}[type(found)]


PANDAS = {"pd": library("pandas")}
POLARS = {"pl": library("polars")}
USES_METHODS = "def apply_scd2(state, extract, keys, as_of):\n    return extract.merge(state, on=keys)\n"


class Recognised(unittest.TestCase):
    def test_a_function_without_either_library_takes_rows(self):
        self.assertIsNone(chosen(USES_METHODS))

    def test_by_what_its_module_has_names_of(self):
        self.assertEqual(chosen(USES_METHODS, **PANDAS), "pandas")
        self.assertEqual(chosen(USES_METHODS, **POLARS), "polars")
        self.assertEqual(chosen(USES_METHODS, DataFrame=PANDAS["pd"].DataFrame), "pandas")

    def test_two_libraries_say_nothing_without_an_annotation(self):
        both = {**PANDAS, **POLARS}
        self.assertIsNone(chosen(USES_METHODS, **both))
        annotated = USES_METHODS.replace("extract,", "extract: pl.DataFrame,")
        self.assertEqual(chosen(annotated, **both), "polars")

    def test_annotations_that_are_still_texts(self):
        later = "from __future__ import annotations\n" + USES_METHODS
        self.assertEqual(chosen(later.replace("state,", "state: pd.DataFrame | None,", 1), **PANDAS, **POLARS), "pandas")
        self.assertIsNone(chosen(later.replace("extract,", "extract: list[dict],", 1), **PANDAS))

    def test_a_function_that_goes_over_its_rows_takes_rows(self):
        for body in (
            "for row in extract: pass",
            "return [dict(row) for row in state or []]",
            "return {row['id']: row for row in list(extract)}",
            "for at, row in enumerate(extract): pass",
            "return pd.DataFrame(extract)",
            "return pd.DataFrame.from_records(data=extract)",
        ):
            source = f"def apply_scd2(state, extract, keys, as_of):\n    {body}\n"
            self.assertIsNone(chosen(source, **PANDAS), body)

    def test_going_over_something_else_says_nothing(self):
        body = "for name in extract.columns: pass\n    return extract"
        source = f"def apply_scd2(state, extract, keys, as_of):\n    {body}\n"
        self.assertEqual(chosen(source, **PANDAS), "pandas")

    def test_an_annotation_wins_over_the_text(self):
        source = "def apply_scd2(state, extract: pd.DataFrame, keys, as_of):\n    for name in extract: pass\n"
        self.assertEqual(chosen(source, **PANDAS), "pandas")

    def test_the_file_has_the_last_word(self):
        self.assertEqual(chosen(USES_METHODS, {"rows": "polars"}), "polars")
        self.assertIsNone(chosen(USES_METHODS, {"rows": "dicts"}, **PANDAS))
        with self.assertRaisesRegex(Unsuitable, r"SCD2CHECK\['rows'\] is 'panda'; it is one of pandas, polars and dicts"):
            chosen(USES_METHODS, {"rows": "panda"})


if __name__ == "__main__":
    unittest.main()
