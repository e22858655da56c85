interface Customer {
  customer_id: number;
  customer_segment: string | null;
  address: string | null;
}

interface Version extends Customer {
  valid_from: string;
  valid_to: string | null;
  is_current: boolean;
}

/** One daily snapshot after the other, in order: what changed or is gone ends now, what is new begins now. */
export function dimCustomer(
  state: Version[] | null,
  rows: Customer[],
  { asOf }: { asOf: string },
): Version[] {
  const incoming = new Map(rows.map((row) => [row.customer_id, row]));
  const versions = (state ?? []).map((version): Version => {
    if (version.valid_to !== null) return version;
    const row = incoming.get(version.customer_id);
    if (row?.customer_segment !== version.customer_segment || row === undefined)
      return { ...version, valid_to: asOf, is_current: false };
    incoming.delete(version.customer_id);
    // The address is not tracked: the open version carries the newest.
    return { ...version, address: row.address };
  });
  const begun = [...incoming.values()].map((row) => ({
    ...row,
    valid_from: asOf,
    valid_to: null,
    is_current: true,
  }));
  return [...versions, ...begun];
}
