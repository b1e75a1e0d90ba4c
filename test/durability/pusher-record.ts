import assert from 'node:assert/strict';

import { toEpochDay, type EpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import type { Batch, Ready, ShownBar, ShownSession } from './kill-protocol.ts';
import { aliasSource, aliasTicker } from './kill-universe.ts';
import { loadStart } from './push-load.ts';

/**
 * The state of the market that the pusher expects, computed in the simplest correct way: the sessions
 * after a number of batches, the closes of the ended sessions, and the bars of all minutes.
 */
export class PusherRecord {
  readonly #sessions = new Map<Ticker, ShownSession>();
  readonly #closes = new Map<Ticker, Map<EpochDay, number>>();
  readonly #bars = new Map<Ticker, Map<number, ShownBar>>();
  #last = 0;
  #now = loadStart;

  /** The number of the last applied batch. */
  get last(): number {
    return this.#last;
  }

  /** The instant of the last applied update. */
  get now(): number {
    return this.#now;
  }

  apply({ id, updates }: Batch): void {
    assert.equal(id, this.#last + 1);
    this.#last = id;
    for (const { ticker, at, last } of updates) {
      this.#now = at;
      for (const one of ticker === aliasSource ? [ticker, aliasTicker] : [ticker]) {
        this.#applyOne(one, dateOf(at), last);
        this.#applyToBar(one, Math.floor(at / 60_000), last);
      }
    }
  }

  #applyOne(ticker: Ticker, sessionDate: PlainDate, last: number): void {
    const held = this.#sessions.get(ticker);
    if (held?.sessionDate === sessionDate) {
      const high = Math.max(held.high ?? last, last);
      const low = Math.min(held.low ?? last, last);
      this.#sessions.set(ticker, { ...held, last, high, low });
      return;
    }
    if (held !== undefined) this.#closesOf(ticker).set(toEpochDay(held.sessionDate), held.last);
    this.#sessions.set(ticker, { sessionDate, last, open: last, high: last, low: last });
  }

  #applyToBar(ticker: Ticker, minute: number, last: number): void {
    const bars = this.#bars.get(ticker) ?? new Map<number, ShownBar>();
    this.#bars.set(ticker, bars);
    const [, open, high, low] = bars.get(minute) ?? [minute, last, last, last];
    bars.set(minute, [minute, open, Math.max(high, last), Math.min(low, last), last]);
  }

  #closesOf(ticker: Ticker): Map<EpochDay, number> {
    let closes = this.#closes.get(ticker);
    if (closes === undefined) this.#closes.set(ticker, (closes = new Map()));
    return closes;
  }

  /**
   * Compares every quote, every close and every bar of the program with this record. Returns the number of closes of
   * sessions without a successor. Such a close is correct once its session is over.
   *
   * @throws AssertionError with the difference.
   */
  check({ quotes, closes, bars }: Ready): number {
    let settled = 0;
    const shown = new Map(quotes.map(({ ticker, session }) => [ticker, session]));
    assert.deepEqual(shown, this.#sessions, 'the quotes');
    for (const { ticker, bars: kept } of bars) {
      const expected = [...(this.#bars.get(ticker)?.values() ?? [])];
      assert.deepEqual(kept, expected, `the bars of ${ticker}`);
    }
    for (const { ticker, days, closes: values } of closes) {
      const kept = new Map(
        days.map((day, index) => [day as EpochDay, values[index] ?? Number.NaN]),
      );
      const expected = new Map(this.#closes.get(ticker));
      // The session that is shown may have ended and settled already, and then its close is kept too.
      const session = this.#sessions.get(ticker);
      const day = session && toEpochDay(session.sessionDate);
      if (session && day !== undefined && kept.has(day)) {
        expected.set(day, session.last);
        settled += 1;
      }
      assert.deepEqual(kept, expected, `the closes of ${ticker}`);
    }
    return settled;
  }
}

/** The date of an instant in Buenos Aires, which is three hours behind UTC. */
function dateOf(at: number): PlainDate {
  return new Date(at - 3 * 3_600_000).toISOString().slice(0, 10) as PlainDate;
}
