import datetime as dt
import unittest
from decimal import Decimal

from scd2check.cells import decode, encode


class Decoding(unittest.TestCase):
    def test_instants_are_naive_and_in_utc(self) -> None:
        instant = decode("2026-03-01T06:00:00.123456Z", "timestamp")
        self.assertEqual(instant, dt.datetime(2026, 3, 1, 6, 0, 0, 123456))
        self.assertIsNone(instant.tzinfo)

    def test_each_type_has_its_python_value(self) -> None:
        self.assertEqual(decode("9007199254740993", "bigint"), 2**53 + 1)
        self.assertEqual(decode("12.50", "decimal(12,2)"), Decimal("12.50"))
        self.assertEqual(decode("2024-02-29", "date"), dt.date(2024, 2, 29))
        self.assertEqual(str(decode("-0", "double")), "-0.0")
        self.assertIsNone(decode(None, "date"))

    def test_an_instant_beyond_datetime_is_named(self) -> None:
        with self.assertRaisesRegex(ValueError, "'12026-01-01T00:00:00.000000Z' of column seen"):
            decode("12026-01-01T00:00:00.000000Z", "timestamp", "seen")


class Encoding(unittest.TestCase):
    def test_aware_instants_become_utc(self) -> None:
        vienna = dt.timezone(dt.timedelta(hours=1))
        self.assertEqual(encode(dt.datetime(2026, 3, 1, 7, tzinfo=vienna)), "2026-03-01T06:00:00.000000Z")

    def test_what_json_would_damage_goes_as_text(self) -> None:
        self.assertEqual(encode(2**53 + 1), "9007199254740993")
        self.assertEqual(encode(Decimal("1E+2")), "100")
        self.assertEqual(encode(0.1, "double"), "0.1")
        self.assertEqual(encode(-0.0, "double"), "-0.0")
        self.assertEqual(encode(float("nan"), "double"), "NaN")

    def test_nan_in_a_column_that_is_no_double_is_null(self) -> None:
        self.assertIsNone(encode(float("nan"), "text"))
        self.assertIsNone(encode(float("nan"), "timestamp"))

    def test_pandas_turns_integers_with_gaps_into_floats(self) -> None:
        self.assertEqual(encode(5.0, "bigint"), 5)

    def test_anything_else_is_its_text(self) -> None:
        self.assertEqual(encode({"a": [Decimal("1.5")]}), {"a": ["1.5"]})
        self.assertEqual(encode(dt.time(6, 30)), "06:30:00")


if __name__ == "__main__":
    unittest.main()
