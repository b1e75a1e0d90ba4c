import type { PlainDate } from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import { dateOfInstant } from '../shapes/date-of-instant.ts';
import type { FeedConfig, FeedDeps } from '../contract/feed-type.ts';
import { selectForHistory, selectWhere, type Offer } from '../contract/select-instruments.ts';
import { FeedFault } from '../contract/feed.ts';
import type {
  HistoryBatch,
  HistoryRequest,
  HistorySource,
  RejectedBar,
} from '../contract/history-source.ts';
import { reject } from '../contract/sample.ts';
import { closesOfBars, type SentBar } from './daily-bars.ts';
import { createFetch, type FetchRequest } from './fetch-limited.ts';
import { readJson } from './read-body.ts';

/** The collaborators of a daily history. */
export type HistoryDeps = Pick<FeedDeps, 'universe' | 'clock' | 'fetchLimits' | 'network'>;

/** How to request the daily history of a source over HTTP. */
interface DailySource extends Pick<HistorySource, 'instruments' | 'spacingMs'> {
  /**
   * Whether the source refuses a request for an instrument that it does not have, such as with status
   * 404. Then such a response means that the instrument is not offered. Otherwise it is a fault.
   */
  readonly refusesUnknown?: boolean;
  /**
   * Requests the bars of one instrument, and maps them. Undefined for an instrument that the source
   * does not have.
   */
  readonly bars: (request: BarsRequest) => Promise<SentBars | undefined>;
}

/** One request for bars, with what it needs. */
export interface BarsRequest extends HistoryRequest {
  readonly instrument: Instrument;
  /** The calendar of the market of the instrument. */
  readonly calendar: SessionCalendar;
  /** {@link dateOfInstant} in that market. */
  readonly dateAt: (epochMs: number) => PlainDate | undefined;
  /** In epoch milliseconds. */
  readonly now: number;
  readonly signal: AbortSignal;
  /** The value of a JSON body. @throws FeedFault as {@link HistorySource.fetch} does. */
  readonly read: (url: URL, headers?: FetchRequest['headers']) => Promise<unknown>;
}

/** The bars of one instrument in any order, the rows that are no bar, and corporate actions. */
interface SentBars extends Pick<HistoryBatch, 'actions'> {
  readonly bars: readonly SentBar[];
  readonly rejected?: readonly RejectedBar[];
}

/** The daily history of a source that sends bars as JSON. */
export function createDailyHistory(
  { name }: { readonly name: string },
  { universe, clock, fetchLimits, network }: HistoryDeps,
  { bars: barsOf, refusesUnknown = false, ...source }: DailySource,
): HistorySource {
  const fetch = createFetch({ clock, limits: fetchLimits, network });
  return {
    name,
    ...source,
    async fetch(request, signal) {
      const { ticker } = request;
      const instrument = universe.get(ticker);
      const calendar = new SessionCalendar(universe.marketOf(instrument));
      const read: BarsRequest['read'] = async (url, headers) => {
        const fetched = await fetch({ url, ...(headers && { headers }) }, signal);
        return fetched.isUnchanged ? undefined : readJson(fetched);
      };
      // The instant before the request: a session that ends while it is under way is not over.
      const now = clock.now();
      const dateAt: BarsRequest['dateAt'] = (epochMs) => dateOfInstant(epochMs, calendar);
      const own = { instrument, calendar, dateAt, now, signal, read };
      const sent = await barsOf({ ...request, ...own }).catch((fault: unknown) => {
        const isUnknown = fault instanceof FeedFault && fault.code === 'invalid-request';
        if (isUnknown && refusesUnknown) return;
        throw fault;
      });
      if (sent === undefined)
        return { closes: [], rejected: [reject('not-offered', ticker, ticker)] };
      const { closes, rejected } = closesOfBars(sent.bars, { calendar, now });
      return {
        closes,
        rejected: [...(sent.rejected ?? []), ...rejected],
        ...(sent.actions && { actions: sent.actions }),
      };
    },
  };
}

/** The daily history of a source, as its file declares it: the instruments that it has, and how to request their bars. */
export function dailyHistory<Config extends FeedConfig>({
  offers,
  bars,
  ...source
}: Omit<DailySource, 'instruments' | 'bars'> & {
  readonly offers: Offer;
  readonly bars: (
    request: BarsRequest,
    config: Config,
    deps: FeedDeps,
  ) => ReturnType<DailySource['bars']>;
}): (config: Config, deps: FeedDeps) => HistorySource {
  return (config, deps) => {
    const context = { universe: deps.universe, config };
    const instruments =
      typeof offers === 'function'
        ? selectWhere(offers, context).map(({ ticker }) => ticker)
        : [...selectForHistory(offers, context)];
    return createDailyHistory(config, deps, {
      ...source,
      instruments,
      bars: (request) => bars(request, config, deps),
    });
  };
}

/** An instant as the number of seconds that many sources take. */
export function epochSeconds(epochMs: number): string {
  return String(Math.floor(epochMs / 1_000));
}
