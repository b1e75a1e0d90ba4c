import type { TickerBar } from '../../../domain/quotes/minute-bar.ts';
import {
  areInConflict,
  conflictOf,
  type CloseConflict,
} from '../../../domain/history/offered-close.ts';
import type { StoredQuote } from '../../../domain/quotes/stored-quote.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import { fromCloseRow, type CloseRow } from '../../encoding/close-row.ts';
import { toQuoteRows } from '../../encoding/quote-row.ts';
import { instantOf, type QuoteCommit, type QuoteStore } from '../../contract/quote-store.ts';
import type { Fence } from '../claim/fence.ts';
import {
  byteaArray,
  float8Array,
  int4Array,
  int8Array,
  textArray,
} from '../session/binary-arrays.ts';
import type { Link } from '../connection/link.ts';
import type { Statement, StatementValue } from '../session/session.ts';
import { addNames, commitAll, commitQuotes, trimChanges } from './commit-sql.ts';
import { requireFinite } from './require-finite.ts';

/** A row of a commit: whether it passed the fence, the number of notifications, and a close stored before. */
type CommitRow = readonly [passes: number, notified: number, ticker: Ticker | null, ...CloseRow];

/**
 * Number of commits after which the notes of changes are trimmed. Those of as many commits stay: more than
 * five seconds. A reader pulls every second, and reads all quotes after a longer pause.
 */
const commitsPerTrim = 512;

/** Writes the latest quotes, one row each, with the closes of sessions and the bars that they finished. */
export class PgQuoteWriter implements Pick<QuoteStore, 'commit'> {
  readonly #link: Link;
  readonly #fence: Fence;
  readonly #channel: string;
  readonly #onBars: (bars: readonly TickerBar[]) => void;
  readonly #quotes: Statement;
  readonly #all: Statement;
  /** Commits since the last trim, and the highest version before it. */
  #untrimmed = 0;
  #trimBelow: number | undefined;

  /** @param onBars called with the bars of each commit, before it is sent and after it was stored. */
  constructor(own: {
    readonly link: Link;
    readonly fence: Fence;
    readonly channel: string;
    readonly onBars: (bars: readonly TickerBar[]) => void;
  }) {
    this.#link = own.link;
    this.#fence = own.fence;
    this.#channel = own.channel;
    this.#onBars = own.onBars;
    this.#quotes = commitQuotes(own.fence);
    this.#all = commitAll(own.fence);
  }

  async commit(commit: QuoteCommit): Promise<readonly CloseConflict[]> {
    const { quotes, closes, bars = [] } = commit;
    const storedAt = closes.length === 0 ? 0 : instantOf(commit);
    for (const { close } of closes) requireFinite(close);
    const isPlain = closes.length === 0 && bars.length === 0;
    const values = [
      ...quoteColumns(quotes),
      ...(isPlain ? [] : [...closeColumns(latestOf(closes)), ...barColumns(bars), storedAt]),
    ];
    // Each attempt has a number of its own, because an earlier one may have been stored.
    const attempt = (): readonly StatementValue[] => [
      ...this.#fence.values(),
      this.#channel,
      ...values,
    ];
    const names = (): readonly StatementValue[] => [
      textArray([...new Set([...closes, ...bars].map(({ ticker }) => ticker))]),
      textArray([...new Set(closes.map(({ close }) => close.source ?? null))]),
    ];
    // The housekeeping is notified before and after the commit, because one of its steps may run between
    // this call and the commit, or be queued behind the commit.
    this.#onBars(bars);
    const rows = await this.#link.send<CommitRow>(
      { statement: isPlain ? this.#quotes : this.#all, values: attempt },
      isPlain ? undefined : { statement: addNames, values: names },
    );
    if (rows[0]?.[0] !== 1) throw this.#fence.refused();
    this.#onBars(bars);
    if (quotes.length > 0) this.#trim(quotes);
    return conflictsOf(rows, closes);
  }

  /** Nobody waits for it, and it may fail: the next one removes what it left. */
  #trim(quotes: readonly StoredQuote[]): void {
    this.#untrimmed += 1;
    if (this.#untrimmed < commitsPerTrim) return;
    this.#untrimmed = 0;
    if (this.#trimBelow !== undefined) {
      this.#link.query(trimChanges, [this.#trimBelow]).catch(() => undefined);
    }
    this.#trimBelow = quotes.reduce((highest, { version }) => Math.max(highest, version), 0);
  }
}

function quoteColumns(quotes: readonly StoredQuote[]): readonly Buffer[] {
  const rows = toQuoteRows(quotes);
  return [
    textArray(rows.map(([ticker]) => ticker)),
    int8Array(rows.map(([, version]) => version)),
    textArray(rows.map(([, , state]) => state)),
    byteaArray(rows.map(([, , , bar]) => bar)),
  ];
}

type Closes = QuoteCommit['closes'];

/** Of two closes of one instrument and day, the later one is stored. */
function latestOf(closes: Closes): Closes {
  return [...new Map(closes.map((one) => [`${one.ticker}\n${one.close.day}`, one])).values()];
}

function closeColumns(closes: Closes): readonly Buffer[] {
  const prices = (['close', 'volume', 'open', 'high', 'low'] as const).map((column) =>
    float8Array(closes.map(({ close }) => close[column] ?? null)),
  );
  return [
    textArray(closes.map(({ ticker }) => ticker)),
    int4Array(closes.map(({ close }) => close.day)),
    ...prices,
    textArray(closes.map(({ close }) => close.source ?? null)),
  ];
}

function barColumns(all: readonly TickerBar[]): readonly Buffer[] {
  const latest = new Map(
    all.map((one) => [`${one.ticker}\n${one.bar.day}\n${one.bar.minute}`, one]),
  );
  const bars = [...latest.values()];
  const prices = (['open', 'high', 'low', 'last', 'volume'] as const).map((column) =>
    float8Array(bars.map(({ bar }) => bar[column])),
  );
  return [
    textArray(bars.map(({ ticker }) => ticker)),
    int4Array(bars.map(({ bar }) => bar.day)),
    int4Array(bars.map(({ bar }) => bar.minute)),
    ...prices,
  ];
}

function conflictsOf(rows: readonly CommitRow[], closes: Closes): readonly CloseConflict[] {
  const stored = new Map(
    rows.flatMap(([, , ticker, ...row]) =>
      ticker === null ? [] : [[`${ticker}\n${row[0]}`, fromCloseRow(row)] as const],
    ),
  );
  return closes.flatMap(({ ticker, close }) => {
    const held = stored.get(`${ticker}\n${close.day}`);
    if (held === undefined || !areInConflict(held, close)) return [];
    return [conflictOf(ticker, held, close)];
  });
}
