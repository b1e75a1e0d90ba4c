/** The comparisons of a quote with earlier sessions, as another service shows them. */
export interface ShownChanges {
  readonly previousClose?: number | undefined;
  /** The change from the previous close, in the unit of the instrument. */
  readonly change: number | null;
  readonly monthToDatePct: number | null;
  readonly yearToDatePct: number | null;
}

/** Whether two services, or two quotes of one, show the same changes. */
export function showsSameChanges(
  a: ShownChanges | undefined,
  b: ShownChanges | undefined,
): boolean {
  return (
    a === b ||
    (a?.previousClose === b?.previousClose &&
      a?.change === b?.change &&
      a?.monthToDatePct === b?.monthToDatePct &&
      a?.yearToDatePct === b?.yearToDatePct)
  );
}
