import { computed, effect, signal } from '@preact/signals';

import type { InstrumentInfo } from '../api/quote.ts';
import { fetchJson } from '../api/service.ts';
import type { ChangeUnit } from '../format/numbers.ts';
import { usableKey } from '../key/api-key.ts';

const listed = signal<readonly InstrumentInfo[]>([]);

/** What the universe says of each instrument, by ticker; empty until it was read. */
export const instruments = computed<ReadonlyMap<string, InstrumentInfo>>(
  () => new Map(listed.value.map((info) => [info.especie, info])),
);

/** Reads the list whenever there is another key. */
export function watchInstruments(): void {
  effect(() => {
    const key = usableKey.value;
    if (key !== undefined) void readList(key);
  });
}

/** What the change of an instrument is counted in, where it is known. */
export function changeUnitOf(info: InstrumentInfo | undefined): ChangeUnit | undefined {
  if (info === undefined) return undefined;
  return info.unidadVariacion === 'puntos' ? 'points' : 'percent';
}

async function readList(key: string): Promise<void> {
  const outcome = await fetchJson<readonly InstrumentInfo[]>('/especies.json', { key });
  if (outcome.ok) listed.value = outcome.value;
}
