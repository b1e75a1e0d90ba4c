import type { Instrument } from '../../domain/instrument.ts';
import { SessionCalendar } from '../../domain/session-calendar.ts';
import type { FeedDeps } from '../feed-type.ts';
import { FeedFault } from '../feed.ts';
import type { HistorySource } from '../history-source.ts';
import { closesOfBars } from '../net/daily-bars.ts';
import { createFetch } from '../net/fetch-limited.ts';
import { readJson } from '../net/read-body.ts';
import { reject } from '../sample.ts';
import { historyPath, isUnknownInstrument, mapHistory } from './data912-mapper.ts';

/** The source allows 120 requests a minute. */
const spacingMs = 1_000;

/** The daily history of data912.com. A response is always the whole series, as traded. */
export function createData912History(
  config: { readonly name: string; readonly url: string },
  { universe, clock, fetchLimits }: Pick<FeedDeps, 'universe' | 'clock' | 'fetchLimits'>,
  instruments: readonly Instrument[],
): HistorySource {
  const fetch = createFetch({ clock, ...(fetchLimits && { limits: fetchLimits }) });
  return {
    name: config.name,
    instruments: instruments.map(({ ticker }) => ticker),
    extent: 'whole',
    spacingMs,
    async fetch({ ticker }, signal) {
      const instrument = universe.get(ticker);
      const path = historyPath(instrument);
      const missing = { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
      if (path === undefined) return missing;
      const body = await bodyOf(new URL(path, config.url), signal);
      if (body === undefined || isUnknownInstrument(body)) return missing;
      const bars = mapHistory(body);
      if (bars === undefined)
        throw new FeedFault('unintelligible', `${path} holds no list of bars`);
      const calendar = new SessionCalendar(universe.marketOf(instrument));
      return closesOfBars(bars, { calendar, now: clock.now() });
    },
  };

  /** Undefined when the source does not know the path, which is how it says so for most instruments. */
  async function bodyOf(url: URL, signal: AbortSignal): Promise<unknown> {
    try {
      const fetched = await fetch({ url }, signal);
      return fetched.isUnchanged ? undefined : readJson(fetched);
    } catch (fault) {
      if (fault instanceof FeedFault && fault.code === 'invalid-request') return undefined;
      throw fault;
    }
  }
}
