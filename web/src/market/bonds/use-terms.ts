import { useMemo } from 'preact/hooks';

import type { InstrumentInfo } from '../api/quote.ts';
import { useAnswer } from './use-answer.ts';

/** What views of several bonds read of their terms. */
const termsPath = '/especies.json?campos=base,clase,emisor,ley,monedaPagos';

/** The classes and terms of each instrument, by ticker. Undefined until they are received. */
export function useTerms(key: string): ReadonlyMap<string, InstrumentInfo> | undefined {
  const { rows } = useAnswer<InstrumentInfo>(termsPath, key);
  return useMemo(
    () => (rows === undefined ? undefined : new Map(rows.map((row) => [row.especie, row]))),
    [rows],
  );
}
