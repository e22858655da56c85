"""From a snapshot's configuration, as manifest.json has it, to its contract."""

import unittest

from scd2check.dbt.column_types import column_sql, known_type
from scd2check.dbt.contract import SourceColumn, contract_of
from scd2check.errors import Unsuitable

COLUMNS = [
    SourceColumn("id", "integer", nullable=False),
    SourceColumn("Region", "text"),
    SourceColumn("segment", "varchar(20)"),
    SourceColumn("tags", None),
    SourceColumn("updated_at", "timestamp"),
]
#: As dbt writes a snapshot of 1.9 and later.
CHECK = {"strategy": "check", "unique_key": "id", "check_cols": "all", "hard_deletes": "ignore"}
TIMESTAMP = {"strategy": "timestamp", "unique_key": "id", "updated_at": "updated_at", "hard_deletes": "ignore"}


def names(columns):
    return [column["name"] for column in columns]


class Decisions(unittest.TestCase):
    def test_the_strategy_chooses_the_preset(self):
        self.assertEqual(contract_of(CHECK, COLUMNS)["contract"], "dbt-check")
        self.assertEqual(contract_of(TIMESTAMP, COLUMNS)["contract"], "dbt-timestamp")

    def test_hard_deletes_say_what_absence_means(self):
        for setting, option in (("ignore", "ignore"), ("invalidate", "close"), ("new_record", "marker-row")):
            contract = contract_of({**CHECK, "hard_deletes": setting}, COLUMNS)
            self.assertEqual(contract["deletes"], option)
            self.assertEqual("isDeleted" in contract, setting == "new_record")

    def test_before_dbt_1_9_a_flag_said_it(self):
        old = {key: value for key, value in CHECK.items() if key != "hard_deletes"}
        self.assertEqual(contract_of(old, COLUMNS)["deletes"], "ignore")
        self.assertEqual(contract_of({**old, "invalidate_hard_deletes": True}, COLUMNS)["deletes"], "close")

    def test_an_updated_at_beside_check_dates_the_versions(self):
        contract = contract_of({**CHECK, "updated_at": "UPDATED_AT"}, COLUMNS)
        self.assertEqual((contract["contract"], contract["stamp"], contract["changeBy"]), ("dbt-check", "row-time", "value"))
        self.assertEqual(contract["changedAt"], {"name": "updated_at", "type": "timestamp", "nullable": False})

    def test_an_updated_at_that_is_a_date_is_a_grain_of_days(self):
        dated = [*COLUMNS[:-1], SourceColumn("updated_at", "date")]
        self.assertEqual(contract_of(TIMESTAMP, dated)["grain"], "day")
        self.assertNotIn("grain", contract_of(TIMESTAMP, COLUMNS))

    def test_the_open_marker_is_what_the_expression_came_to(self):
        self.assertEqual(contract_of(CHECK, COLUMNS, "9999-12-31")["openMarker"], "9999-12-31")


class Columns(unittest.TestCase):
    def test_all_that_is_sent_is_tracked_unless_check_cols_says_less(self):
        self.assertEqual(names(contract_of(CHECK, COLUMNS)["tracked"]), ["Region", "segment", "updated_at"])
        self.assertIsNone(contract_of(CHECK, COLUMNS)["untracked"])
        some = contract_of({**CHECK, "check_cols": ["SEGMENT"]}, COLUMNS)
        self.assertEqual(names(some["tracked"]), ["segment"])
        self.assertEqual(names(some["untracked"]), ["Region", "updated_at"])

    def test_under_timestamp_the_time_itself_is_no_attribute(self):
        contract = contract_of(TIMESTAMP, COLUMNS)
        self.assertEqual(names(contract["tracked"]), ["Region", "segment"])
        self.assertEqual(contract["changedAt"]["name"], "updated_at")

    def test_a_key_is_a_name_or_a_list_or_the_columns_of_an_expression(self):
        for key, expected in (
            ("ID", ["id"]),
            (["id", "region"], ["id", "Region"]),
            ("id || '-segment-' || coalesce(region, '')", ["id", "Region"]),
        ):
            self.assertEqual(names(contract_of({**CHECK, "unique_key": key}, COLUMNS)["key"]), expected)

    def test_types_and_nulls_go_along(self):
        contract = contract_of(CHECK, COLUMNS)
        self.assertEqual(contract["key"], [{"name": "id", "type": "integer", "nullable": False}])
        self.assertIn({"name": "segment", "type": "varchar(20)", "nullable": True}, contract["tracked"])

    def test_dbts_own_columns_may_be_renamed(self):
        renamed = {"dbt_valid_from": "started", "dbt_valid_to": None, "dbt_is_deleted": "gone"}
        config = {**CHECK, "hard_deletes": "new_record", "snapshot_meta_column_names": renamed}
        contract = contract_of(config, COLUMNS)
        found = {role: contract[role]["name"] for role in ("validFrom", "validTo", "isDeleted", "surrogateKey")}
        self.assertEqual(
            found, {"validFrom": "started", "validTo": "dbt_valid_to", "isDeleted": "gone", "surrogateKey": "dbt_scd_id"}
        )


class Refusals(unittest.TestCase):
    def refused(self, config, columns=COLUMNS):
        with self.assertRaises(Unsuitable) as caught:
            contract_of(config, columns)
        return str(caught.exception)

    def test_a_key_that_is_no_column(self):
        self.assertIn("`unique_key` is 'customer'", self.refused({**CHECK, "unique_key": "customer"}))

    def test_a_key_of_a_type_that_is_not_sent(self):
        self.assertIn("`tags`", self.refused({**CHECK, "unique_key": "tags"}))

    def test_a_time_that_is_computed(self):
        message = self.refused({**TIMESTAMP, "updated_at": "coalesce(updated_at, created_at)"})
        self.assertIn("compute it in the query", message)

    def test_nothing_to_track(self):
        self.assertIn("No column is left", self.refused(TIMESTAMP, [COLUMNS[0], COLUMNS[-1]]))


class Types(unittest.TestCase):
    def test_types_of_both_engines_have_one_name_here(self):
        for declared, known in {
            "VARCHAR": "text",
            "character varying(12)": "varchar(12)",
            "DECIMAL(10,2)": "decimal(10,2)",
            "numeric": "decimal(18,4)",
            "smallint": "integer",
            "HUGEINT": "bigint",
            "real": "double",
            "TIMESTAMP WITH TIME ZONE": "timestamp",
            "timestamp(3) without time zone": "timestamp",
            "ENUM('a', 'b')": "text",
            "UUID": "text",
            "STRUCT(a INTEGER)": None,
            "integer[]": None,
            "jsonb": None,
        }.items():
            self.assertEqual(known_type(declared), known, declared)

    def test_tables_are_as_wide_as_what_is_sent(self):
        self.assertEqual(column_sql("smallint", "postgres"), "integer")
        self.assertEqual(column_sql("real", "postgres"), "double precision")
        self.assertEqual(column_sql("varchar(3)", "duckdb"), "text")
        self.assertEqual(column_sql("TIMESTAMP WITH TIME ZONE", "duckdb"), "timestamp with time zone")
        self.assertEqual(column_sql("jsonb", "postgres"), "jsonb")


if __name__ == "__main__":
    unittest.main()
