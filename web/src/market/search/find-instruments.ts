import type { InstrumentInfo } from '../api/quote.ts';
import { editDistances } from './edit-distance.ts';
import { foldText } from './fold-text.ts';

/** Maximum number of instruments that a search shows, as in the search of the service. */
const countMax = 50;

/** What a search found, the best first. */
export interface Found {
  readonly instruments: readonly InstrumentInfo[];
  /** Whether none of them matches as it was typed. */
  readonly areAllForgiven: boolean;
}

/** How an instrument matches. A smaller number is shown first. */
const ranks = {
  equal: 0,
  tickerBeginning: 1,
  wordBeginning: 2,
  contained: 3,
  /** The number of edits is added. */
  forgiven: 4,
  none: Number.POSITIVE_INFINITY,
} as const;

/**
 * The instruments that a text may mean: a ticker, a word of a name, or several words in any order.
 * Accents, case and the amount of white space are ignored. Those that match as typed are first, in the
 * order of the contract (4.7.2). Then come those that match with one edit, unless the text is a ticker,
 * and those with two edits if there are no others. Within a rank, the order is that of the universe.
 */
export function findInstruments(text: string, instruments: Iterable<InstrumentInfo>): Found {
  const wanted = foldText(text);
  if (wanted === '') return { instruments: [], areAllForgiven: false };
  const words = wanted.split(' ');
  const ranked = [...instruments]
    .map((info) => ({ info, rank: rankOf(wanted, words, foldedOf(info)) }))
    .filter(({ rank }) => rank < ranks.none)
    .toSorted((a, b) => a.rank - b.rank);
  const best = ranked[0]?.rank ?? ranks.none;
  const worst = best === ranks.equal ? ranks.contained : Math.max(best, ranks.forgiven + 1);
  const shown = ranked.filter(({ rank }) => rank <= worst).slice(0, countMax);
  return {
    instruments: shown.map(({ info }) => info),
    areAllForgiven: shown.length > 0 && best > ranks.forgiven,
  };
}

function rankOf(wanted: string, words: readonly string[], { ticker, name }: Folded): number {
  if (ticker === wanted) return ranks.equal;
  if (ticker.startsWith(wanted)) return ranks.tickerBeginning;
  if (words.every((word) => begins(word, ticker) || begins(word, name))) return ranks.wordBeginning;
  if (words.every((word) => ticker.includes(word) || name.includes(word))) return ranks.contained;
  const edits = Math.min(tickerEdits(wanted, ticker), wordEdits(words, `${ticker} ${name}`));
  return edits <= editsMax(wanted.length) ? ranks.forgiven + edits : ranks.none;
}

/** Whether a text has a word that begins as this one. */
function begins(word: string, text: string): boolean {
  return text.startsWith(word) || text.includes(` ${word}`);
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
  if (Math.abs(ticker.length - wanted.length) > max) return Number.POSITIVE_INFINITY;
  return editDistances(wanted, ticker).whole;
}

/** The edits of all words together, each compared with the beginning of the nearest word of a text. */
function wordEdits(words: readonly string[], text: string): number {
  const known = text.split(' ');
  let edits = 0;
  for (const word of words) {
    const nearest = Math.min(...known.map((one) => beginningEdits(word, one)));
    // A short word is near the beginning of many others by chance.
    if (nearest > (word.length < 4 ? 0 : word.length < 7 ? 1 : 2)) return Number.POSITIVE_INFINITY;
    edits += nearest;
  }
  return edits;
}

/** A slip in the first letter is rare, unless it is a swap. Without this rule, "pampa" finds "campo". */
function beginningEdits(word: string, known: string): number {
  const [first, second] = word;
  if (known[0] !== first && !(known[0] === second && known[1] === first)) {
    return Number.POSITIVE_INFINITY;
  }
  return editDistances(word, known).beginning;
}

interface Folded {
  readonly ticker: string;
  readonly name: string;
}

/** The texts of each instrument, because every letter that is typed compares all of them. */
const knownFolded = new WeakMap<InstrumentInfo, Folded>();

function foldedOf(info: InstrumentInfo): Folded {
  let folded = knownFolded.get(info);
  if (folded === undefined) {
    folded = { ticker: foldText(info.especie), name: foldText(info.nombre) };
    knownFolded.set(info, folded);
  }
  return folded;
}
