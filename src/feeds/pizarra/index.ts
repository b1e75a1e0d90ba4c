import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import { sourceOf, type FeedDeps, type FeedType } from '../contract/feed-type.ts';
import { FeedFault, type Feed, type FeedBatch } from '../contract/feed.ts';
import { filesOf } from '../contract/secrets.ts';
import { selectForHistory, tickersOf } from '../contract/select-instruments.ts';
import { emptyFeed } from '../net/empty-feed.ts';
import { FollowedSession } from './followed-session.ts';
import { createOriginHistory, createOriginIndices } from './origin-history.ts';
import { Origin, pizarraSchema, reconnects, retried, type PizarraConfig } from './origin.ts';

/** The minimum time from one batch to the next, in milliseconds: a busy origin does not cause a commit for each event. */
const batchEveryMs = 10;

/** After this time without a change, the instruments of an origin count as settled, in milliseconds. */
const settledMs = 60_000;

/**
 * Follows another Pizarra: its quotes as they change, with the minutes of its sessions. The tickers are those
 * that both have, derived ones included: the origin derives them from every price.
 *
 * The feed connects again by itself, so that a short cut costs seconds, and reports the time between as an outage. It
 * ends with a fault only where an operator has to do something.
 */
export function followOrigin(config: PizarraConfig, deps: FeedDeps): Feed {
  const { universe, network, clock, pause, random } = deps;
  const tickers = tickersOf(selectForHistory(() => true, { universe, config }));
  if (tickers.size === 0) return emptyFeed(config, deps);
  const calendars = new MarketCalendars(universe);
  const opensAt = (ticker: Ticker, date: PlainDate): number | undefined => {
    const instrument = universe.find(ticker);
    return instrument === undefined ? undefined : calendars.of(instrument).opensAt(date);
  };
  const isOnce = network?.observer !== undefined;
  return {
    // The delay is that of each quote at the origin.
    ...sourceOf(config),
    delayMinutes: undefined,
    tickers,
    async *batches(signal): AsyncGenerator<FeedBatch, void, undefined> {
      const origin = new Origin(config, deps);
      let failures = 0;
      let changes = 0;
      while (!signal.aborted) {
        const begunAt = clock.monotonic();
        const session = new FollowedSession(
          { origin, config, deps, tickers, context: { opensAt }, isOnce },
          signal,
        );
        try {
          await session.open();
          for (let yieldedAt = -Infinity; ; yieldedAt = clock.monotonic()) {
            const waitMs = yieldedAt + batchEveryMs - clock.monotonic();
            if (waitMs > 0) await pause(waitMs, session.signal);
            const batch = await session.next();
            if (batch === 'changed') break;
            failures = 0;
            yield batch;
          }
          session.close();
          changes = clock.monotonic() - begunAt < settledMs ? changes + 1 : 1;
          await pause(backoffMs(changes, reconnects, random), signal).catch(() => undefined);
        } catch (fault) {
          if (signal.aborted) return;
          if (!(fault instanceof FeedFault) || !retried.has(fault.code) || isOnce) throw fault;
          yield { updates: [], rejected: [], outage: fault };
          failures += 1;
          const pauseMs = backoffMs(failures, reconnects, random);
          await pause(Math.max(pauseMs, fault.retryAfterMs ?? 0), signal).catch(() => undefined);
        } finally {
          session.close();
        }
      }
    },
  };
}

/** Another Pizarra, which this one follows. */
export const pizarraType: FeedType<PizarraConfig> = {
  type: 'pizarra',
  schema: pizarraSchema,
  create: followOrigin,
  createHistory: createOriginHistory,
  createIndices: createOriginIndices,
  files: ({ key }) => filesOf(key),
};
