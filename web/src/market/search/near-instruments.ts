import type { InstrumentInfo } from '../api/quote.ts';

/** The maximum number of instruments that are suggested. */
const countMax = 5;

/**
 * The instruments whose ticker or name is near an unknown ticker, the nearest first: those with a ticker
 * that differs in few characters, then those whose ticker or name begins as it does.
 */
export function nearInstruments(
  text: string,
  instruments: Iterable<InstrumentInfo>,
): readonly InstrumentInfo[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  return [...instruments]
    .map((info) => ({ info, distance: distanceOf(wanted, info) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.distance - b.distance || compare(a.info, b.info))
    .slice(0, countMax)
    .map(({ info }) => info);
}

/** Zero is the same text. Infinity is not near. */
function distanceOf(wanted: string, { especie, nombre }: InstrumentInfo): number {
  const ticker = plain(especie);
  const words = plain(nombre).split(' ');
  const editsMax = wanted.length <= 3 ? 1 : 2;
  const tickerEdits = editDistance(wanted, ticker);
  if (tickerEdits <= editsMax) return tickerEdits;
  if (wanted.length >= 2 && ticker.startsWith(wanted)) return editsMax + 1;
  // A short word is near many others by chance.
  const wordsMax = wanted.length < 5 ? 0 : editsMax;
  const wordEdits = Math.min(...words.map((word) => editDistance(wanted, word)));
  if (wordEdits <= wordsMax) return editsMax + 2 + wordEdits;
  return Number.POSITIVE_INFINITY;
}

/** The number of characters to insert, delete, replace or swap with the next one (Damerau, OSA). */
export function editDistance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + cost,
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** Upper case without accents, with single spaces. */
function plain(text: string): string {
  const letters = text.normalize('NFD').replaceAll(/\p{M}/gu, '');
  return letters.trim().replaceAll(/\s+/gu, ' ').toUpperCase();
}

function compare(a: InstrumentInfo, b: InstrumentInfo): number {
  return a.especie < b.especie ? -1 : 1;
}
