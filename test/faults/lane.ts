import assert from 'node:assert/strict';

import type { FaultyService, Pushed, ReadQuote } from './installation.ts';

/**
 * The first session of a load. Each update of an instrument belongs to the session after that of its
 * previous update. The service refuses updates before 1990 and after now, so an instrument has some
 * 13,000 sessions.
 */
const firstSession = Date.parse('1991-01-01T12:00:00-03:00');

const msPerDay = 86_400_000;

/** The part of the instruments that a batch has, so that a long run does not use up their sessions. */
const shareOfBatch = 0.3;

/** One pushed session of one instrument. Each session has one price. */
interface Session {
  readonly date: string;
  readonly last: number;
}

/**
 * One source that pushes some instruments, one batch at a time, and records the acknowledged sessions. At
 * most one batch was sent without a response. Each update of it may have been applied or not.
 */
export class Lane {
  readonly tickers: readonly string[];
  readonly #acknowledged = new Map<string, Session[]>();
  #unanswered = new Map<string, Session>();
  readonly #sessionsSent = new Map<string, number>();
  /** Number of updates that were acknowledged. */
  acknowledged = 0;

  constructor(tickers: readonly string[]) {
    this.tickers = tickers;
  }

  /** Creates the next batch. The sender calls {@link answered} when it was acknowledged. */
  nextBatch(): readonly Pushed[] {
    assert.equal(this.#unanswered.size, 0, 'a lane sends one batch at a time');
    const chosen = Math.floor(Math.random() * this.tickers.length);
    const updates = this.tickers
      .filter((_, index) => index === chosen || Math.random() < shareOfBatch)
      .map((ticker) => ({
        ticker,
        at: this.#nextSessionOf(ticker),
        // Less than three times the price before: a price further from it would wait for another one.
        last: (50_000 + Math.floor(Math.random() * 97_000)) / 100,
      }));
    this.#unanswered = new Map(
      updates.map(({ ticker, at, last }) => [ticker, { date: at.slice(0, 10), last }]),
    );
    return updates;
  }

  #nextSessionOf(ticker: string): string {
    const sent = this.#sessionsSent.get(ticker) ?? 0;
    this.#sessionsSent.set(ticker, sent + 1);
    return new Date(firstSession + sent * msPerDay).toISOString();
  }

  /** Pushes the next batch to a service, which must accept it. */
  async pushTo(service: FaultyService): Promise<void> {
    const { status, body } = await service.push(this.nextBatch());
    assert.equal(status, 200, body);
    this.answered();
  }

  /** Called when the last batch was acknowledged. */
  answered(): void {
    for (const [ticker, session] of this.#unanswered) {
      this.sessionsOf(ticker).push(session);
      this.acknowledged += 1;
    }
    this.#unanswered.clear();
  }

  /** The acknowledged sessions of an instrument. */
  sessionsOf(ticker: string): Session[] {
    let sessions = this.#acknowledged.get(ticker);
    if (sessions === undefined) this.#acknowledged.set(ticker, (sessions = []));
    return sessions;
  }

  /**
   * Compares the quote and the closes of an instrument with what was pushed. The updates of the batch
   * without a response that were applied count as acknowledged from here on.
   *
   * @throws AssertionError with the difference.
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
    // The session of the quote is over too. Its close enters history some time after the push.
    const isSettled = current !== undefined && closes.has(current.date);
    if (isSettled) ended.set(current.date, current.last);
    assert.deepEqual(closes, ended, `the closes of ${ticker}`);
    return { isSettled };
  }

  /** Discards the updates of the batch without a response that were not applied. */
  forgetUnanswered(): void {
    this.#unanswered.clear();
  }
}
