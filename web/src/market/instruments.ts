import { computed, effect, signal } from '@preact/signals';

import type { InstrumentInfo } from './api/quote.ts';
import { retried } from './api/retry.ts';
import { fetchJson } from './api/service.ts';
import { withLocalNames } from './format/instrument-name.ts';
import type { ChangeUnit } from './format/numbers.ts';
import { usableKey } from '../key/api-key.ts';
import { staleSources } from './health-watch.ts';
import { isUnreached, wasReached } from './seen/reach.ts';
import { readSeen } from './seen/seen-store.ts';
import { keepView } from './seen/seen-views.ts';

/** The entry of the list among what was seen last. */
const seenName = 'especies';

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
    const endKeeping = keepView({ name: seenName, read: readToKeep });
    return () => {
      stop.abort();
      endKeeping();
    };
  });
  // Without a network, the names and units are those that were seen last.
  effect(() => {
    if (isUnreached.value) void readSeenList();
  });
}

/** The list, if it is of this visit. */
function readToKeep(): readonly InstrumentInfo[] | undefined {
  return wasReached.peek() && listed.peek().length > 0 ? listed.peek() : undefined;
}

async function readSeenList(): Promise<void> {
  const seen = await readSeen(seenName);
  if (listed.peek().length === 0 && Array.isArray(seen)) {
    listed.value = seen as readonly InstrumentInfo[];
  }
}

/** The unit of the change of an instrument, if known. */
export function changeUnitOf(info: InstrumentInfo | undefined): ChangeUnit | undefined {
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
