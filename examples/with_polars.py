"""`apply_scd2` over data frames of Polars: a full extract each load, in order; who is missing is closed."""

import polars as pl

SCD2CHECK = {"late": "never", "anyColumns": True}  # Whatever columns the contract names.


def apply_scd2(state: pl.DataFrame, extract: pl.DataFrame, keys, as_of, contract):
    """The dimension after `extract`. `state` is the one before, None at first."""
    instant = pl.lit(as_of).cast(pl.Datetime("us"))
    nothing = pl.lit(None, dtype=pl.Datetime("us"))
    new = extract.with_columns(valid_from=instant, valid_to=nothing, is_current=pl.lit(True))
    if state is None:
        return new

    current = state.filter("is_current")
    # NULL is a value like any other here: NULL and then NULL is no change.
    unchanged = current.join(extract, on=[*keys, *contract["columns"]["tracked"]], how="semi", nulls_equal=True).select(keys)
    return pl.concat(
        [
            state.filter(~pl.col("is_current")),
            current.join(unchanged, on=keys, how="semi"),
            current.join(unchanged, on=keys, how="anti").with_columns(valid_to=instant, is_current=pl.lit(False)),
            new.join(unchanged, on=keys, how="anti"),
        ]
    )
