"""`apply_scd2` over data frames of pandas: a full extract each load, in order; who is missing is closed."""

import pandas as pd

SCD2CHECK = {"late": "never", "anyColumns": True}  # Whatever columns the contract names.


def apply_scd2(state: pd.DataFrame, extract: pd.DataFrame, keys, as_of, contract):
    """The dimension after `extract`. `state` is the one before, None at first."""
    instant = pd.Timestamp(as_of).as_unit("us")
    nothing = pd.Series(pd.NaT, index=extract.index, dtype="datetime64[us]")
    new = extract.assign(valid_from=instant, valid_to=nothing, is_current=True)
    if state is None:
        return new

    pairs = state[state["is_current"]].merge(extract, on=keys, suffixes=("", "_new"))
    unchanged = pd.Series(True, index=pairs.index)
    for column in contract["columns"]["tracked"]:
        before, after = pairs[column], pairs[f"{column}_new"]
        unchanged &= before.eq(after).fillna(False) | (before.isna() & after.isna())
    kept = identity(pairs[unchanged], keys)

    ends = state["is_current"] & ~identity(state, keys).isin(kept)
    before = state.assign(
        valid_to=state["valid_to"].mask(ends, instant),
        is_current=state["is_current"] & ~ends,
    )
    return pd.concat([before, new[~identity(new, keys).isin(kept)]], ignore_index=True)


def identity(frame, keys):
    return pd.MultiIndex.from_frame(frame[keys])
