import {
  areInConflict,
  conflictOf,
  type CloseConflict,
} from '../../../domain/history/offered-close.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { TickerBar } from '../../../domain/quotes/minute-bar.ts';
import type { StoredQuote } from '../../../domain/quotes/stored-quote.ts';
import { instantOf, type QuoteCommit, type QuoteStore } from '../../contract/quote-store.ts';
import { fromCloseRow, toCloseRow, type CloseRow } from '../../encoding/close-row.ts';
import { toQuoteRows } from '../../encoding/quote-row.ts';
import { namesOf, type Columns, type Row } from '../../sql/sql.ts';
import type { Fence } from '../claim/lease-sql.ts';
import type { ReconnectingSession } from '../connection/reconnecting-session.ts';
import { arraysOf, unnestOf } from '../sql/pg-driver.ts';
import type { Statement, StatementValue } from '../session/session.ts';
import {
  addNames,
  closeColumns,
  closesDiffer,
  newChange,
  noteChange,
  raiseCloses,
  replaceClose,
} from './staged-closes.ts';

/**
 * A row of the result of a commit: 1 if the commit passed the fence and 0 if not, the number of notifications that
 * were sent, and a close that was stored before. Without such a close, `ticker` is null.
 */
type CommitRow = readonly [passes: number, notified: number, ticker: Ticker | null, ...CloseRow];

/**
 * Number of commits after which the notes of changes are trimmed. Those of as many commits stay: more than
 * five seconds. A reader pulls every second, and reads all quotes after a longer pause.
 */
const commitsPerTrim = 512;

/** Writes the latest quotes, one row each, with the closes of sessions and the bars that they finished. */
export class PgQuoteWriter implements Pick<QuoteStore, 'commit'> {
  readonly #connection: ReconnectingSession;
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
    readonly connection: ReconnectingSession;
    readonly fence: Fence;
    readonly channel: string;
    readonly onBars: (bars: readonly TickerBar[]) => void;
  }) {
    this.#connection = own.connection;
    this.#fence = own.fence;
    this.#channel = own.channel;
    this.#onBars = own.onBars;
    this.#quotes = commitQuotes(own.fence);
    this.#all = commitAll(own.fence);
  }

  async commit(commit: QuoteCommit): Promise<readonly CloseConflict[]> {
    const { quotes, closes, bars = [] } = commit;
    const storedAt = closes.length === 0 ? 0 : instantOf(commit);
    const closeRows = closes.map(({ ticker, close }) => [ticker, ...toCloseRow(close)]);
    const barRows = bars.map(({ ticker, bar: { day, minute, open, high, low, last, volume } }) => {
      return [ticker, day, minute, open, high, low, last, volume];
    });
    const isPlain = closes.length === 0 && bars.length === 0;
    const values = [
      ...arraysOf(quoteColumns, toQuoteRows(quotes)),
      ...(isPlain
        ? []
        : [
            ...arraysOf(tickerColumns, latestOf(closeRows, 2)),
            ...arraysOf(barColumns, latestOf(barRows, 3)),
            storedAt,
          ]),
    ];
    // Each attempt has a number of its own, because an earlier one may have been stored.
    const attempt = (): readonly StatementValue[] => [
      ...this.#fence.values(),
      this.#channel,
      ...values,
    ];
    const names = [
      ...closeRows.map((row): Row => [row[0], row[7]] as Row),
      ...barRows.map(([ticker]): Row => [ticker ?? null, null]),
    ];
    // The housekeeping is notified before and after the commit, because one of its steps may run between
    // this call and the commit, or be queued behind the commit.
    this.#onBars(bars);
    const rows = await this.#connection.send<CommitRow>(
      { statement: isPlain ? this.#quotes : this.#all, values: attempt },
      isPlain ? undefined : { statement: addGiven, values: () => arraysOf(nameColumns, names) },
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
      this.#connection.query(trimChanges, [this.#trimBelow]).catch(() => undefined);
    }
    this.#trimBelow = quotes.reduce((highest, { version }) => Math.max(highest, version), 0);
  }
}

const quoteColumns: Columns = { ticker: 'text', version: 'big', state: 'text' };

const tickerColumns: Columns = { ticker: 'text', ...closeColumns };

const barColumns: Columns = {
  ticker: 'text',
  day: 'integer',
  minute: 'integer',
  open: 'real',
  high: 'real',
  low: 'real',
  last: 'real',
  volume: 'real?',
};

type Closes = QuoteCommit['closes'];

/** Of several rows with the same first columns, the last one is stored. */
function latestOf(rows: readonly Row[], keyLength: number): readonly Row[] {
  return [...new Map(rows.map((row) => [row.slice(0, keyLength).join('\n'), row])).values()];
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

/**
 * The first parts of a commit: the fence, the quotes, and the note of what changed. A quote never replaces a newer
 * one. So an older attempt of a commit that arrives late changes nothing.
 *
 * A quote that is stored again under a version that was noted before is not noted again. So notes are added in the
 * order of their versions, on which readers depend.
 */
const quotesPart = (fence: Fence): string => `
  fence AS (${fence.sql}),
  quotes_put AS (
    INSERT INTO quotes AS held (ticker, version, state)
    SELECT put.* FROM fence, ${unnestOf(quoteColumns, 3)} AS put
    ON CONFLICT (ticker) DO UPDATE SET
      version = excluded.version, state = excluded.state
    WHERE held.version <= excluded.version
  ), changes_put AS (
    INSERT INTO quote_changes (version, tickers)
    SELECT max(put.version), array_agg(put.ticker)
    FROM fence, unnest($4::text[], $5::bigint[]) AS put (ticker, version)
    WHERE put.version > coalesce(
      (SELECT version FROM quote_changes ORDER BY version DESC LIMIT 1), -1)
    HAVING count(*) > 0
    ON CONFLICT DO NOTHING
  )`;

/** Whether the fence let the commit pass, and the notification of those who follow quotes. */
const passed = `SELECT count(*) AS passes, count(pg_notify($3, 'quotes')) FROM fence`;

/**
 * A commit of quotes alone. A commit is one statement: however its client is suspended or cut off, the server
 * either runs all of it or nothing, and no lock stays behind.
 *
 * $1 and $2 are of the fence, $3 is the channel, the others are the columns of the quotes.
 */
const commitQuotes = (fence: Fence): Statement => ({
  name: 'commit-quotes',
  text: `WITH ${quotesPart(fence)} ${passed}`,
});

/**
 * A commit of quotes ($4 to $6), closes ($7 to $14), bars ($15 to $22) and the instant of the closes ($23). Returns a
 * row for each close that was stored before for the same instrument and day; without any, one row with the number that
 * passed only.
 *
 * The instruments and sources exist. If one did not, the statement would fail because its id is null.
 */
const commitAll = (fence: Fence): Statement => ({
  name: 'commit-all',
  text: `
    WITH ${quotesPart(fence)}, ${newChange},
    closes_in AS MATERIALIZED (
      SELECT instruments.id, put.*, sources.id AS source_id
      FROM fence, ${unnestOf(tickerColumns, 6)} AS put (${namesOf(tickerColumns)})
      LEFT JOIN instruments ON instruments.ticker = put.ticker
      LEFT JOIN sources ON sources.name = put.source
    ), before AS MATERIALIZED (
      SELECT closes_in.ticker, held.day, held.close, held.volume, held.open, held.high, held.low, sources.name
      FROM closes_in JOIN closes AS held ON held.instrument_id = closes_in.id AND held.day = closes_in.day
      LEFT JOIN sources ON sources.id = held.source_id
    ), closes_put AS (
      INSERT INTO closes AS held (instrument_id, day, close, volume, open, high, low, source_id, change_id)
      SELECT id, day, close, volume, open, high, low, source_id, (SELECT id FROM change) AS change_id
      FROM closes_in ORDER BY id, day
      ON CONFLICT (instrument_id, day) DO UPDATE SET ${replaceClose} WHERE ${closesDiffer}
      RETURNING instrument_id
    ), ids AS (
      SELECT DISTINCT instrument_id FROM closes_put
    ), ${noteChange('$23', "'session'")}, ${raiseCloses},
    bars_put AS (
      INSERT INTO minute_bars (day, minute, instrument_id, open, high, low, last, volume)
      SELECT put.day, put.minute, instruments.id, put.open, put.high, put.low, put.last, put.volume
      FROM fence, ${unnestOf(barColumns, 14)} AS put (${namesOf(barColumns)})
      LEFT JOIN instruments ON instruments.ticker = put.ticker
      ORDER BY put.day, put.minute, instruments.id
      ON CONFLICT (day, minute, instrument_id) DO UPDATE SET
        open = excluded.open, high = excluded.high, low = excluded.low, last = excluded.last,
        volume = excluded.volume
    )
    SELECT head.passes, (SELECT count(pg_notify($3, 'closes')) FROM raised), before.*
    FROM (${passed}) AS head LEFT JOIN before ON true`,
});

/** Removes the notes of changes whose version is lower ($1). A reader that would need them reads all quotes. */
const trimChanges: Statement = {
  name: 'trim-changes',
  text: 'DELETE FROM quote_changes WHERE version < $1',
};

const nameColumns: Columns = { ticker: 'text', source: 'text?' };

const addGiven: Statement = {
  name: 'add-names',
  text: addNames(`${unnestOf(nameColumns, 0)} AS given (${namesOf(nameColumns)})`, 'given'),
};
