import {
  foldForSearch,
  searchEntryOf,
  searchRank,
  searchRanks,
  type SearchEntry,
} from '../../../../src/domain/instruments/instrument-search.ts';
import { editDistances } from '../../../../src/lib/text/edit-distances.ts';
import type { InstrumentInfo } from '../api/quote.ts';

/** Maximum number of instruments that a search shows, as in the search of the service. */
const countMax = 50;

/** What a search found, the best first. */
export interface Found {
  readonly instruments: readonly InstrumentInfo[];
  /** Whether none of them matches as it was typed. */
  readonly areAllForgiven: boolean;
}

/** The rank of what matches with edits, whose number is added. What matches as it was typed has a lower rank. */
const forgiven = searchRanks.length;

/**
 * The instruments that a text may mean: a ticker, a word of a name, or several words in any order.
 * Accents, case and the amount of white space are ignored. Those that match as typed are first, in the
 * order of the contract (4.7.2). Then come those that match with one edit, unless the text is a ticker,
 * and those with two edits if there are no others. Within a rank, the order is that of the universe.
 */
export function findInstruments(text: string, instruments: Iterable<InstrumentInfo>): Found {
  const wanted = foldForSearch(text);
  if (wanted === '') return { instruments: [], areAllForgiven: false };
  const words = wanted.split(' ');
  const ranked = [...instruments]
    .map((info) => ({ info, rank: rankOf(wanted, words, entryOf(info)) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank);
  const best = ranked[0]?.rank ?? Infinity;
  const worst = best === 0 ? forgiven - 1 : Math.max(best, forgiven + 1);
  const shown = ranked.filter(({ rank }) => rank <= worst).slice(0, countMax);
  return {
    instruments: shown.map(({ info }) => info),
    areAllForgiven: shown.length > 0 && best > forgiven,
  };
}

function rankOf(wanted: string, words: readonly string[], entry: SearchEntry): number {
  const rank = searchRank(entry, wanted, words);
  if (rank !== undefined) return searchRanks.indexOf(rank);
  const edits = Math.min(tickerEdits(wanted, entry.ticker), wordEdits(words, entry.text));
  return edits <= editsMax(wanted.length) ? forgiven + edits : Infinity;
}

/**
 * Maximum number of edits of a text. With more, short texts are near many others by chance: three letters
 * of a ticker may have one wrong.
 */
function editsMax(length: number): number {
  return length < 3 ? 0 : length < 5 ? 1 : 2;
}

function tickerEdits(wanted: string, ticker: string): number {
  const max = editsMax(wanted.length);
  if (Math.abs(ticker.length - wanted.length) > max) return Infinity;
  return editDistances(wanted, ticker).whole;
}

/** The edits of all words together, each compared with the beginning of the nearest word of a text. */
function wordEdits(words: readonly string[], text: string): number {
  const known = text.split(/\s/);
  let edits = 0;
  for (const word of words) {
    const nearest = Math.min(...known.map((one) => beginningEdits(word, one)));
    // A short word is near the beginning of many others by chance.
    if (nearest > (word.length < 4 ? 0 : word.length < 7 ? 1 : 2)) return Infinity;
    edits += nearest;
  }
  return edits;
}

/** A slip in the first letter is rare, unless it is a swap. Without this rule, "pampa" finds "campo". */
function beginningEdits(word: string, known: string): number {
  const [first, second] = word;
  if (known[0] !== first && !(known[0] === second && known[1] === first)) {
    return Infinity;
  }
  return editDistances(word, known).beginning;
}

/** The texts of each instrument, because every letter that is typed compares all of them. */
const entries = new WeakMap<InstrumentInfo, SearchEntry>();

function entryOf(info: InstrumentInfo): SearchEntry {
  let entry = entries.get(info);
  if (entry === undefined) {
    entry = searchEntryOf(info.especie, info.nombre);
    entries.set(info, entry);
  }
  return entry;
}
