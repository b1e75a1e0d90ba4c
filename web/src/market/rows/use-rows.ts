import { signal, type ReadonlySignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { fetchJson } from '../api/service.ts';
import { followRows } from './follow-rows.ts';
import { renewedRows } from './renewed-rows.ts';

/** Rows by their names. Undefined before the first response. */
export type Rows<Row> = ReadonlySignal<ReadonlyMap<string, Row> | undefined>;

/**
 * Rows that follow from the prices, as {@link followRows} renews them while they are shown.
 *
 * @param path undefined to request nothing.
 * @param nameOf the name of a row, unique in a response.
 */
export function useRows<Row>(
  path: string | undefined,
  key: string,
  nameOf: (row: Row) => string,
): Rows<Row> {
  const rows = useMemo(() => signal<ReadonlyMap<string, Row> | undefined>(undefined), [key]);
  useEffect(() => {
    // Rows of another path must not stay under the new one.
    rows.value = undefined;
    if (path === undefined) return undefined;
    const stop = new AbortController();
    const { signal: stopped } = stop;
    const request = () => fetchJson<readonly Row[]>(path, { key, signal: stopped });
    void followRows(request, stopped, (sent) => {
      rows.value = sent === undefined ? undefined : renewedRows(rows.peek(), sent, nameOf);
    });
    return () => stop.abort();
  }, [path, key, rows]);
  return rows;
}
