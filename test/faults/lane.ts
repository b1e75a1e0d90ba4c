import assert from 'node:assert/strict';

import { pricesOf, type FaultyService, type Prices, type Pushed } from './installation.ts';

/**
 * The first session of a load. The updates of an instrument in a batch are the session after that of its
 * previous batch. The service refuses updates before 1990 and after now, so an instrument has some
 * 13,000 sessions.
 */
const firstSession = Date.parse('1991-01-01T12:00:00-03:00');

const msPerDay = 86_400_000;

/** The instants of the prices of a session, in milliseconds after its first one: two minutes. */
const priceTimes = [0, 20_000, 60_000];

/** The part of the instruments that a batch has, so that a long run does not use up their sessions. */
const shareOfBatch = 0.3;

/** The number of sessions whose bars the service keeps at least. */
const barSessionsMin = 10;

/** One pushed session of one instrument. Its prices are different from each other. */
interface Session {
  readonly date: string;
  /** The instant of the first price, in epoch milliseconds. */
  readonly start: number;
  readonly prices: readonly number[];
}

/** The prices of a session or of a bar with these updates. */
function foldedFrom(prices: readonly number[]): Prices {
  const [apertura = Number.NaN] = prices;
  const [minimo, maximo] = [Math.min(...prices), Math.max(...prices)];
  return { apertura, minimo, maximo, ultimo: prices.at(-1) ?? Number.NaN };
}

/** The bars of a session, by their start in epoch milliseconds. */
function barsOf({ start, prices }: Session): readonly (readonly [number, Prices])[] {
  return [prices.slice(0, 2), prices.slice(2)].flatMap((minute, index) =>
    minute.length === 0 ? [] : [[start + index * 60_000, foldedFrom(minute)] as const],
  );
}

/**
 * One source that pushes some instruments, one batch at a time, and records the acknowledged sessions. At
 * most one batch was sent without a response. Of each session in it, the first updates may have been applied.
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
    return this.tickers
      .filter((_, index) => index === chosen || Math.random() < shareOfBatch)
      .flatMap((ticker) => this.#nextSessionOf(ticker));
  }

  #nextSessionOf(ticker: string): readonly Pushed[] {
    const sent = this.#sessionsSent.get(ticker) ?? 0;
    this.#sessionsSent.set(ticker, sent + 1);
    const start = firstSession + sent * msPerDay;
    const updates = priceTimes
      .slice(0, 1 + Math.floor(Math.random() * priceTimes.length))
      .map((after, index) => ({
        ticker,
        at: new Date(start + after).toISOString(),
        // Less than three times the price before: a price further from it would wait for another one.
        last: (50_000 + Math.floor(Math.random() * 32_000) * 3 + index) / 100,
      }));
    const date = new Date(start).toISOString().slice(0, 10);
    this.#unanswered.set(ticker, { date, start, prices: updates.map(({ last }) => last) });
    return updates;
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
      this.#sessionsOf(ticker).push(session);
      this.acknowledged += session.prices.length;
    }
    this.#unanswered.clear();
  }

  /** The acknowledged sessions of an instrument. */
  #sessionsOf(ticker: string): Session[] {
    let sessions = this.#acknowledged.get(ticker);
    if (sessions === undefined) this.#acknowledged.set(ticker, (sessions = []));
    return sessions;
  }

  /**
   * Compares the quotes, the closes and the bars of the service with what was pushed. The updates of the batch
   * without a response that were applied count as acknowledged from here on, and the others are forgotten. Returns
   * the number of last sessions that are in history.
   *
   * @throws AssertionError with the difference.
   */
  async check(service: FaultyService): Promise<number> {
    const quotes = await service.quotes();
    let settled = 0;
    for (const ticker of this.tickers) {
      const sessions = this.#sessionsOf(ticker);
      const quote = quotes.get(ticker);
      const unanswered = this.#unanswered.get(ticker);
      if (unanswered !== undefined && quote?.fecha === unanswered.date) {
        const applied = unanswered.prices.indexOf(quote.ultimo) + 1;
        sessions.push({ ...unanswered, prices: unanswered.prices.slice(0, applied) });
      }
      const current = sessions.at(-1);
      assert.deepEqual(
        quote && { date: quote.fecha, ...pricesOf(quote) },
        current && { date: current.date, ...foldedFrom(current.prices) },
        `the quote of ${ticker}`,
      );
      const closes = await service.closes(ticker);
      // The session of the quote is over too. Its close enters history some time after the push.
      const isSettled = current !== undefined && closes.has(current.date);
      if (isSettled) settled += 1;
      const ended = isSettled ? sessions : sessions.slice(0, -1);
      assert.deepEqual(
        closes,
        new Map(ended.map(({ date, prices }) => [date, prices.at(-1)])),
        `the closes of ${ticker}`,
      );
      const bars = await service.bars(ticker);
      const days = new Set([...bars.keys()].map((start) => Math.floor(start / msPerDay))).size;
      assert.ok(days >= Math.min(barSessionsMin, sessions.length), `${days} days of ${ticker}`);
      const kept = sessions.slice(sessions.length - days);
      assert.deepEqual(bars, new Map(kept.flatMap(barsOf)), `the bars of ${ticker}`);
    }
    this.#unanswered.clear();
    return settled;
  }
}
