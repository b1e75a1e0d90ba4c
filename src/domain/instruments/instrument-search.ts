import type { Instrument } from './instrument.ts';

/** A folded instrument. */
interface Entry {
  readonly ticker: string;
  /** Ticker and name, on two lines. */
  readonly text: string;
}

/** The ranks of a match, best first. */
const ranks = ['ticker', 'ticker-prefix', 'word-prefix', 'anywhere'] as const;

type Rank = (typeof ranks)[number];

/**
 * Folds a text so that texts that differ in accents, case, width or white space are equal: `  Dólar
 * mep` is `DOLAR MEP`.
 */
export function foldForSearch(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase();
  return plain.trim().replaceAll(/\s+/gu, ' ');
}

/**
 * Finds instruments by ticker and name. A search compares every instrument with the text, on the thread
 * that answers requests. Tickers and names are folded once, so that a search does not fold them again.
 */
export class InstrumentSearch {
  /** By the position of the instrument. */
  readonly #entries: readonly Entry[];

  /** @param instruments all those of a universe, in its order. */
  constructor(instruments: readonly Instrument[]) {
    this.#entries = instruments.map((one) => {
      const ticker = foldForSearch(one.ticker);
      // A joined text is flat. One that is concatenated would be flattened by the first search.
      return { ticker, text: [ticker, foldForSearch(one.name)].join('\n') };
    });
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
    const matching = among.filter((one) =>
      words.every((word) => this.#entryOf(one).text.includes(word)),
    );
    const byRank = Map.groupBy(matching, (one) => rankOf(this.#entryOf(one), folded, words));
    return ranks.flatMap((rank) => byRank.get(rank) ?? []).slice(0, max);
  }

  #entryOf({ ticker, position }: Instrument): Entry {
    const entry = this.#entries[position];
    if (entry === undefined) throw new Error(`${ticker} is not in the index`);
    return entry;
  }
}

/** The rank of an entry that contains all words. */
function rankOf({ ticker, text }: Entry, folded: string, words: readonly string[]): Rank {
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
