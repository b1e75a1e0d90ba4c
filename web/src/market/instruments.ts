import { computed, effect, signal } from '@preact/signals';

import type { InstrumentInfo } from './api/quote.ts';
import { fetchJson } from './api/service.ts';
import { withLocalNames } from './format/instrument-name.ts';
import type { ChangeUnit } from './format/numbers.ts';
import { usableKey } from '../key/api-key.ts';
import { staleSources } from './health-watch.ts';
import { joinedQuery, type Selection } from './stream/joined-selection.ts';

/** The instruments as listed last, and whether they are all that the service has. */
const listed = signal<{ readonly rows: readonly InstrumentInfo[]; readonly isWhole: boolean }>({
  rows: [],
  isWhole: false,
});

/** The data of the instruments that are loaded, by ticker: at first of those that the page shows, later of all. */
export const instruments = computed<ReadonlyMap<string, InstrumentInfo>>(
  () => new Map(listed.value.rows.map((info) => [info.especie, info])),
);

/** The data of all instruments, by ticker. Empty until all are loaded, so that none is missed before. */
export const allInstruments = computed<ReadonlyMap<string, InstrumentInfo>>(() =>
  listed.value.isWhole ? instruments.value : new Map(),
);

/** Whether the page has needed all instruments. From then on, the list of all is loaded. */
const areAllNeeded = signal(false);

/** The names of the stale sources. The list says whose instruments are stale. */
const staleNames = computed(() => staleSources.value.map(({ fuente }) => fuente).join());

/**
 * Loads the list after each change of the key, and when a source becomes stale or sends again. The list of all is
 * larger than the other first responses, so a page that shows a few instruments loads these alone, until the visitor
 * first uses the page.
 *
 * @param shown selects the instruments that the page shows. Undefined if it needs all.
 */
export function watchInstruments(shown: () => readonly Selection[] | undefined): void {
  // Tools for people with disabilities may send a focus or a click alone.
  for (const kind of ['pointerdown', 'keydown', 'focusin', 'click']) {
    document.addEventListener(kind, needAll, { once: true, capture: true, passive: true });
  }
  const query = computed(() => {
    const selected = areAllNeeded.value ? undefined : shown();
    return selected === undefined ? '' : joinedQuery(selected);
  });
  effect(() => {
    if (query.value === '') needAll();
  });
  effect(() => {
    void staleNames.value;
    if (usableKey.value === undefined) return undefined;
    const stop = new AbortController();
    void readList(query.value, stop.signal);
    return () => stop.abort();
  });
}

function needAll(): void {
  areAllNeeded.value = true;
}

/** The unit of the change of an instrument, if known. */
export function changeUnitOf(
  info: Pick<InstrumentInfo, 'unidadVariacion'> | undefined,
): ChangeUnit | undefined {
  if (info === undefined) return undefined;
  return info.unidadVariacion === 'puntos' ? 'points' : 'percent';
}

/** @param query selects the instruments. Empty for all. */
async function readList(query: string, stopped: AbortSignal): Promise<void> {
  const path = `/especies.json?campos=precioPor${query === '' ? '' : `&${query}`}`;
  const outcome = await fetchJson<readonly InstrumentInfo[]>(path, { signal: stopped });
  if (stopped.aborted || !outcome.ok) return;
  listed.value = { rows: withLocalNames(outcome.value), isWhole: query === '' };
}

const byKey = computed(
  () => new Map([...instruments.value.keys()].map((ticker) => [tickerKey(ticker), ticker])),
);

/**
 * The spelling of a ticker in the universe. An address may have another one (contract 2.5.2), but
 * responses have only this one. An unknown ticker, and any ticker before the list of instruments is
 * loaded, is returned as it is.
 */
export function canonicalTicker(text: string): string {
  return byKey.value.get(tickerKey(text)) ?? text;
}

/** The spelling that all spellings of a ticker share: upper case, with single spaces. */
function tickerKey(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ').toUpperCase();
}

/** The tickers of a text with commas, in the spelling of the universe, each once. */
export function canonicalTickers(tickers: readonly string[]): readonly string[] {
  const named = tickers.map((ticker) => canonicalTicker(ticker.trim())).filter((one) => one !== '');
  return [...new Map(named.map((one) => [tickerKey(one), one])).values()];
}
