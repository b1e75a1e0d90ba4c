import type { DatabaseSync, StatementSync } from 'node:sqlite';

import type { ReferenceClose, ReferenceCloses } from '../../domain/reference-closes.ts';
import { makeLiveBar } from '../../domain/minute-bar.ts';
import type { LiveBar } from '../../domain/minute-bar.ts';
import type { EpochDay } from '../../domain/plain-date.ts';
import type { StoredQuote } from '../../domain/stored-quote.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { QuoteStore } from '../quote-store.ts';
import { damaged, withFaults } from './sqlite-fault.ts';

/** The fields of a quote that its row stores as JSON: all except ticker and version. */
type QuoteState = Omit<StoredQuote, 'ticker' | 'version'>;

/** A bar under way as its numbers alone, which take half the space of an object. */
type PackedBar = readonly [
  day: EpochDay,
  minute: number,
  open: number,
  high: number,
  low: number,
  last: number,
  volumeFrom: number,
  volumeTo: number | null,
  isRecorded: 0 | 1,
];

/** The state of a quote as it is written. */
export interface PackedState extends Omit<QuoteState, 'bar'> {
  readonly bar?: PackedBar | undefined;
}

/** A quote's state as any version of this program may have stored it. Old references have no day. */
interface StoredState extends Pick<PackedState, 'bar'> {
  readonly session: QuoteState['session'];
  readonly references: Readonly<Partial<Record<keyof ReferenceCloses, ReferenceClose | number>>>;
}

/** Reads the committed latest quotes. */
export class SqliteQuoteReader implements Pick<QuoteStore, 'readAll'> {
  readonly #path: string;
  readonly #all: StatementSync;

  constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#all = database.prepare('SELECT ticker, version, state FROM quotes');
  }

  async readAll(): Promise<readonly StoredQuote[]> {
    const rows = withFaults(this.#path, () => this.#all.all());
    return (rows as unknown as readonly (readonly [Ticker, number, string])[]).map(
      ([ticker, version, state]) => ({ ticker, version, ...this.#parse(ticker, state) }),
    );
  }

  #parse(ticker: Ticker, state: string): QuoteState {
    try {
      const { session, references, bar } = JSON.parse(state) as StoredState;
      const live = unpackBar(bar);
      return {
        session,
        references: withDays(references),
        ...(live === undefined ? {} : { bar: live }),
      };
    } catch (cause) {
      throw damaged(this.#path, `the quote of ${ticker} cannot be read`, cause);
    }
  }
}

/** The references that have a day. The others are read from history when the service starts. */
function withDays(references: StoredState['references']): ReferenceCloses {
  const dated = Object.entries(references).filter(([, base]) => typeof base === 'object');
  return Object.fromEntries(dated);
}

/** Packs the bar under way of a quote. */
export function packBar(bar: LiveBar | undefined): PackedBar | undefined {
  if (bar === undefined) return undefined;
  const { day, minute, open, high, low, last, volumeFrom, volumeTo, isRecorded } = bar;
  return [day, minute, open, high, low, last, volumeFrom, volumeTo, isRecorded ? 1 : 0];
}

function unpackBar(packed: PackedBar | undefined): LiveBar | undefined {
  if (packed === undefined) return undefined;
  const [day, minute, open, high, low, last, volumeFrom, volumeTo, isRecorded] = packed;
  return makeLiveBar({
    day,
    minute,
    open,
    high,
    low,
    last,
    volumeFrom,
    volumeTo,
    isRecorded: isRecorded === 1,
  });
}
