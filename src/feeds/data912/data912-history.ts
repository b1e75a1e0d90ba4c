import type { Instrument } from '../../domain/instruments/instrument.ts';
import { FeedFault } from '../contract/feed.ts';
import type { HistorySource } from '../contract/history-source.ts';
import { createDailyHistory, type HistoryDeps } from '../net/daily-history.ts';
import { historyPath, isUnknownInstrument, mapHistory } from './data912-mapper.ts';

/** The source allows 120 requests a minute. */
const spacingMs = 1_000;

/** The daily history of data912.com. A response is always the whole series, as traded. */
export function createData912History(
  config: { readonly name: string; readonly url: string },
  deps: HistoryDeps,
  instruments: readonly Instrument[],
): HistorySource {
  return createDailyHistory(config, deps, {
    instruments: instruments.map(({ ticker }) => ticker),
    spacingMs,
    // It answers 404 for most instruments that it does not have.
    refusesUnknown: true,
    async bars({ instrument, read }) {
      const path = historyPath(instrument);
      if (path === undefined) return undefined;
      const body = await read(new URL(path, config.url));
      if (isUnknownInstrument(body)) return undefined;
      const bars = mapHistory(body);
      if (bars === undefined)
        throw new FeedFault('unintelligible', `${path} holds no list of bars`);
      return { bars };
    },
  });
}
