/**
 * The rows of a response, by name. Those that are equal to the ones before are the same objects, and equal rows
 * are the same map, so that nothing is drawn again without a change.
 */
export function renewedRows<Row>(
  before: ReadonlyMap<string, Row> | undefined,
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): ReadonlyMap<string, Row> {
  const next = new Map(
    rows.map((row) => {
      const name = nameOf(row);
      const known = before?.get(name);
      const isEqual = known !== undefined && JSON.stringify(known) === JSON.stringify(row);
      return [name, isEqual ? known : row] as const;
    }),
  );
  const isSame =
    before?.size === next.size && [...next].every(([name, row]) => before.get(name) === row);
  return isSame ? before : next;
}
