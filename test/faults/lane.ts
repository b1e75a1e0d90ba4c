import assert from 'node:assert/strict';

import type { Pushed, ReadQuote } from './installation.ts';

/** The first session of a load. Every batch is of the session after that of the batch before. */
const firstSession = Date.parse('1971-01-01T12:00:00-03:00');

const msPerDay = 86_400_000;

/** One session of one instrument, as it was pushed: a price a session. */
interface Session {
  readonly date: string;
  readonly last: number;
}

/**
 * One source that pushes some instruments, one batch at a time, and what it knows of them: the
 * sessions that were acknowledged, and at most one batch that was sent and not answered, of which
 * each update may have been taken or not.
 */
export class Lane {
  readonly tickers: readonly string[];
  readonly #acknowledged = new Map<string, Session[]>();
  #unanswered = new Map<string, Session>();
  #sessions = 0;
  /** Updates that were answered as accepted. */
  acknowledged = 0;

  constructor(tickers: readonly string[]) {
    this.tickers = tickers;
  }

  /** Makes the next batch. Whoever sends it tells {@link answered} when it was. */
  nextBatch(): readonly Pushed[] {
    assert.equal(this.#unanswered.size, 0, 'a lane sends one batch at a time');
    const at = new Date(firstSession + this.#sessions * msPerDay);
    this.#sessions += 1;
    const date = at.toISOString().slice(0, 10);
    const updates = this.tickers
      .filter((_, index) => index === 0 || Math.random() < 0.5)
      .map((ticker) => ({
        ticker,
        at: at.toISOString(),
        last: (1 + Math.floor(Math.random() * 1e7)) / 100,
      }));
    this.#unanswered = new Map(updates.map(({ ticker, last }) => [ticker, { date, last }]));
    return updates;
  }

  /** What was sent last was acknowledged. */
  answered(): void {
    for (const [ticker, session] of this.#unanswered) {
      this.sessionsOf(ticker).push(session);
      this.acknowledged += 1;
    }
    this.#unanswered.clear();
  }

  /** The sessions of an instrument that must be there. */
  sessionsOf(ticker: string): Session[] {
    let sessions = this.#acknowledged.get(ticker);
    if (sessions === undefined) this.#acknowledged.set(ticker, (sessions = []));
    return sessions;
  }

  /**
   * Holds a quote and the closes of one of its instruments against what was pushed. What was taken of
   * the batch without an answer counts from here on.
   *
   * @throws AssertionError naming what differs.
   */
  check(
    ticker: string,
    quote: ReadQuote | undefined,
    closes: ReadonlyMap<string, number>,
  ): { readonly isSettled: boolean } {
    const sessions = this.sessionsOf(ticker);
    const unanswered = this.#unanswered.get(ticker);
    if (unanswered !== undefined && quote?.fecha === unanswered.date) sessions.push(unanswered);
    const current = sessions.at(-1);
    assert.deepEqual(
      quote && { date: quote.fecha, last: quote.ultimo },
      current,
      `the quote of ${ticker}`,
    );
    const ended = new Map(sessions.slice(0, -1).map(({ date, last }) => [date, last]));
    // The session that is shown is over too, and enters history some time after it was pushed.
    const isSettled = current !== undefined && closes.has(current.date);
    if (isSettled) ended.set(current.date, current.last);
    assert.deepEqual(closes, ended, `the closes of ${ticker}`);
    return { isSettled };
  }

  /** What was not taken of the batch without an answer is not coming any more. */
  forgetUnanswered(): void {
    this.#unanswered.clear();
  }
}
