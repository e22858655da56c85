"""A dimension that stays right when loads come late, twice or empty: keep the snapshots, derive the rest.

A dimension cannot be repaired from itself. Where A was seen on Monday and again on Wednesday it has one
row, from Monday on; when a late Tuesday says B, nothing in it remembers that Wednesday said A. So all
snapshots are kept, and late data needs no code of its own: it is sorted in.
"""

# It takes its columns from the contract, whatever they are.
SCD2CHECK = {"anyColumns": True}

NAN = object()


class Dimension:
    def __init__(self, contract):
        self.columns = contract["columns"]
        self.snapshots = {}  # as_of -> key -> row

    def apply(self, rows, as_of):
        """A snapshot that is delivered again takes the place of its former self."""
        self.snapshots[as_of] = {self.identity(row, "key"): row for row in rows}

    def read(self):
        versions, open_versions = [], {}
        for as_of in sorted(self.snapshots):
            rows = self.snapshots[as_of]
            # What is missing or differs ends here, exclusively: no instant has two versions.
            for key, version in list(open_versions.items()):
                if key not in rows or self.state(rows[key]) != self.state(version["row"]):
                    version["to"] = as_of
                    del open_versions[key]
            for key, row in rows.items():
                if key not in open_versions:
                    open_versions[key] = {"from": as_of, "to": None}
                    versions.append(open_versions[key])
                open_versions[key]["row"] = row  # Same tracked values; the untracked ones may be newer.
        return [self.dimension_row(version) for version in versions]

    def dimension_row(self, version):
        roles = ("key", "tracked", "untracked")
        row = {name: version["row"].get(name) for role in roles for name in self.columns[role]}
        row[self.columns["validFrom"]] = version["from"]
        if self.columns.get("validTo"):
            row[self.columns["validTo"]] = version["to"]
        if self.columns.get("isCurrent"):
            row[self.columns["isCurrent"]] = version["to"] is None
        return row

    def state(self, row):
        return self.identity(row, "tracked")

    def identity(self, row, role):
        """Equal for equal values. Of None, -0.0 and NaN only NaN needs care: it differs from itself."""
        values = (row.get(name) for name in self.columns[role])
        return tuple(NAN if value != value else value for value in values)
