"""`apply_scd2` as a reader of the seven boundary cases would write it first: from the dimension alone.

It passes all seven, late arrival included. What it cannot know, or did not think of:

- An observation that changed nothing left no trace. A at 1, A at 3, then a late B of 2 needs the A of 3.
- A late extract may be a delete, too: it takes keys that are missing from a late extract as not mentioned.
"""

import hashlib
import json

SCD2CHECK = {
    "key": "customer_id",
    "tracked": "customer_segment",
    "untracked": "street",
    "validFrom": "_tech_valid_from",
    "validTo": "_tech_valid_to",
    "isCurrent": "_tech_is_current",
    "hash": "_tech_hash",
}
TRACKED = ["customer_segment"]


def apply_scd2(state, rows, keys, as_of):
    """The dimension after `rows`, a full extract as of `as_of`. `state` is the one before, None at first."""
    history = {}
    for version in sorted(state or [], key=lambda version: version["_tech_valid_from"]):
        history.setdefault(key_of(version, keys), []).append(dict(version))

    bounds = [version[name] for version in state or [] for name in ("_tech_valid_from", "_tech_valid_to")]
    is_late = any(bound is not None and bound > as_of for bound in bounds)

    delivered = set()
    for row in rows:
        delivered.add(key_of(row, keys))
        observe(history.setdefault(key_of(row, keys), []), row, as_of)

    if not is_late:
        for key, versions in history.items():
            if key not in delivered and versions[-1]["_tech_valid_to"] is None:
                close(versions[-1], as_of)

    return [version for versions in history.values() for version in versions]


def observe(versions, row, as_of):
    """Fits one delivered row into the versions of its key, which are in order of their start."""
    new = {
        **row,
        "_tech_valid_from": as_of,
        "_tech_valid_to": None,
        "_tech_is_current": True,
        "_tech_hash": hash_of(row),
    }
    after = next((i for i, v in enumerate(versions) if v["_tech_valid_from"] > as_of), len(versions))
    before = versions[after - 1] if after > 0 else None
    following = versions[after] if after < len(versions) else None

    if before is not None and covers(before, as_of):
        if before["_tech_hash"] == new["_tech_hash"]:
            return
        end = before["_tech_valid_to"]
        close(before, as_of)
    else:
        end = following["_tech_valid_from"] if following is not None else None

    # The version that follows was true earlier than we knew: its start moves, and there is no third one.
    touches = following is not None and following["_tech_valid_from"] == end
    if touches and following["_tech_hash"] == new["_tech_hash"]:
        following["_tech_valid_from"] = as_of
        return
    if end is not None:
        close(new, end)
    versions.insert(after, new)


def covers(version, instant):
    end = version["_tech_valid_to"]
    return version["_tech_valid_from"] <= instant and (end is None or instant < end)


def close(version, instant):
    version["_tech_valid_to"] = instant
    version["_tech_is_current"] = False


def key_of(row, keys):
    return tuple(row[key] for key in keys)


def hash_of(row):
    """Over the versioned attributes only: a new street makes no version. JSON keeps None apart from 'null'."""
    return hashlib.sha256(json.dumps([row[name] for name in TRACKED]).encode()).hexdigest()
