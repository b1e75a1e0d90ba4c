import type { Instrument } from './instrument.ts';

/** The folded texts of an instrument. */
export interface SearchEntry {
  readonly ticker: string;
  /** Ticker and name, on two lines. */
  readonly text: string;
}

/** The ranks of a match, best first. */
export const searchRanks = ['ticker', 'ticker-prefix', 'word-prefix', 'anywhere'] as const;

type Rank = (typeof searchRanks)[number];

/**
 * Folds a text so that texts that differ in accents, case, width or white space are equal: `  Dólar
 * mep` is `DOLAR MEP`.
 */
export function foldForSearch(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  return plain.trim().replaceAll(/\s+/gu, ' ');
}

/** The texts of an instrument by which it is found. */
export function searchEntryOf(ticker: string, name: string): SearchEntry {
  const folded = foldForSearch(ticker);
  // A joined text is flat. One that is concatenated would be flattened by the first search.
  return { ticker: folded, text: [folded, foldForSearch(name)].join('\n') };
}

/**
 * Finds instruments by ticker and name. A search compares every instrument with the text, on the thread
 * that answers requests. Tickers and names are folded once, so that a search does not fold them again.
 */
export class InstrumentSearch {
  /** By the position of the instrument. */
  readonly #entries: readonly SearchEntry[];

  /** @param instruments all those of a universe, in its order. */
  constructor(instruments: readonly Instrument[]) {
    this.#entries = instruments.map(({ ticker, name }) => searchEntryOf(ticker, name));
  }

  /**
   * The instruments that match a text, best first: those whose ticker is the text; whose ticker begins
   * with it; in whose ticker or name a word begins with each word of the text; and that contain each
   * word of the text anywhere (contract 4.7.2). Equally good ones keep their order.
   *
   * @param folded the text as {@link foldForSearch} returns it, not empty.
   * @param options.among the instruments to search in.
   * @param options.max maximum number of results.
   */
  find(
    folded: string,
    { among, max }: { readonly among: readonly Instrument[]; readonly max: number },
  ): readonly Instrument[] {
    const words = [...new Set(folded.split(' '))];
    const byRank = Map.groupBy(among, (one) => searchRank(this.#entryOf(one), folded, words));
    return searchRanks.flatMap((rank) => byRank.get(rank) ?? []).slice(0, max);
  }

  #entryOf({ ticker, position }: Instrument): SearchEntry {
    const entry = this.#entries[position];
    if (entry === undefined) throw new Error(`${ticker} is not in the index`);
    return entry;
  }
}

/** The rank of an entry. Undefined unless it contains all words of the folded text. */
export function searchRank(
  { ticker, text }: SearchEntry,
  folded: string,
  words: readonly string[],
): Rank | undefined {
  if (!words.every((word) => text.includes(word))) return undefined;
  if (ticker === folded) return 'ticker';
  if (ticker.startsWith(folded)) return 'ticker-prefix';
  return words.every((word) => beginsWord(text, word)) ? 'word-prefix' : 'anywhere';
}

const letterOrDigit = /[\p{L}\p{N}]/u;

/** Whether a word of a text begins with a prefix. Words are separated by what is no letter or digit. */
function beginsWord(text: string, prefix: string): boolean {
  for (let at = text.indexOf(prefix); at !== -1; at = text.indexOf(prefix, at + 1)) {
    if (!letterOrDigit.test(text.charAt(at - 1))) return true;
  }
  return false;
}
