import { computed, effect, signal } from '@preact/signals';

import type { InstrumentInfo } from './api/quote.ts';
import { retried } from './api/retry.ts';
import { fetchJson } from './api/service.ts';
import { withLocalNames } from './format/instrument-name.ts';
import type { ChangeUnit } from './format/numbers.ts';
import { usableKey } from '../key/api-key.ts';
import { staleSources } from './health-watch.ts';

const listed = signal<readonly InstrumentInfo[]>([]);

/** The data of each instrument, by ticker. Empty until the list is loaded. */
export const instruments = computed<ReadonlyMap<string, InstrumentInfo>>(
  () => new Map(listed.value.map((info) => [info.especie, info])),
);

/** The names of the stale sources. The list says whose instruments are stale. */
const staleNames = computed(() => staleSources.value.map(({ fuente }) => fuente).join());

/** Loads the list after each change of the key, and when a source becomes stale or sends again. */
export function watchInstruments(): void {
  effect(() => {
    const key = usableKey.value;
    void staleNames.value;
    if (key === undefined) return undefined;
    const stop = new AbortController();
    void readList(key, stop.signal);
    return () => stop.abort();
  });
}

/** The unit of the change of an instrument, if known. */
export function changeUnitOf(
  info: Pick<InstrumentInfo, 'unidadVariacion'> | undefined,
): ChangeUnit | undefined {
  if (info === undefined) return undefined;
  return info.unidadVariacion === 'puntos' ? 'points' : 'percent';
}

async function readList(key: string, stopped: AbortSignal): Promise<void> {
  const options = { key, signal: stopped };
  const request = () =>
    fetchJson<readonly InstrumentInfo[]>('/especies.json?campos=precioPor', options);
  const outcome = await retried(request, stopped);
  if (!stopped.aborted && outcome.ok) listed.value = withLocalNames(outcome.value);
}
