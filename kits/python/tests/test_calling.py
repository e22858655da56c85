import unittest
from typing import Any

from scd2check.calling import Plan
from scd2check.errors import Unsuitable

GIVEN = {"state": "S", "rows": "R", "keys": "K", "as_of": "T", "contract": "C"}


def call(function: Any) -> Any:
    return Plan(function, list(GIVEN), "it").call(GIVEN)


class Calling(unittest.TestCase):
    def test_by_the_names_of_the_parameters(self) -> None:
        self.assertEqual(call(lambda state, rows, keys, as_of: (state, rows, keys, as_of)), ("S", "R", "K", "T"))
        self.assertEqual(call(lambda as_of, batch, dim: (as_of, batch, dim)), ("T", "R", "S"))

    def test_by_position_where_the_names_say_nothing(self) -> None:
        self.assertEqual(call(lambda a, b, c, *, as_of: (a, b, c, as_of)), ("S", "R", "K", "T"))
        self.assertEqual(call(lambda a, b, /, as_of: (a, b, as_of)), ("S", "R", "T"))

    def test_parameters_with_defaults_are_left_alone(self) -> None:
        self.assertEqual(call(lambda state, rows, mode="x": (state, rows, mode)), ("S", "R", "x"))

    def test_keywords_of_any_name(self) -> None:
        self.assertEqual(call(lambda state, rows, **rest: rest["as_of"]), "T")

    def test_a_parameter_that_cannot_be_filled_is_named(self) -> None:
        with self.assertRaisesRegex(Unsuitable, "parameter `mode`"):
            call(lambda state, rows, keys, as_of, contract, mode: None)


if __name__ == "__main__":
    unittest.main()
