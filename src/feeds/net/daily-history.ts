import {
  type EpochDay,
  type PlainDate,
  fromEpochDay,
  isoWeekday,
  toEpochDay,
} from '../../domain/calendar/plain-date.ts';
import { SessionCalendar } from '../../domain/calendar/session-calendar.ts';
import type { DailyClose } from '../../domain/history/daily-close.ts';
import type { Instrument } from '../../domain/instruments/instrument.ts';
import type { FeedConfig, FeedDeps } from '../contract/feed-type.ts';
import { FeedFault, reject, type Rejected, type RejectionReason } from '../contract/feed.ts';
import {
  barSettleMs,
  type HistoryBatch,
  type HistoryRequest,
  type HistorySource,
} from '../contract/history-source.ts';
import { type Offer, selectForHistory } from '../contract/select-instruments.ts';
import { isPrice, pricesOf } from '../shapes/as-record.ts';
import { dateOfInstant } from '../shapes/date-of-instant.ts';
import { type FetchRequest, createJsonReader } from './fetch-limited.ts';

/** How a source declares its daily history: the instruments that it has, and how to request their bars over HTTP. */
interface DailyDeclaration<Config> extends Pick<HistorySource, 'spacingMs'> {
  readonly offers: Offer;
  /**
   * Whether the source refuses a request for an instrument that it does not have, such as with status
   * 404. Then such a response means that the instrument is not offered. Otherwise it is a fault.
   */
  readonly refusesUnknown?: boolean;
  /**
   * Requests the bars of one instrument, and maps them. Undefined for an instrument that the source
   * does not have.
   */
  readonly bars: (
    request: BarsRequest,
    config: Config,
    deps: FeedDeps,
  ) => Promise<SentBars | undefined>;
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
export interface SentBars extends Pick<HistoryBatch, 'actions'> {
  readonly bars: readonly SentBar[];
  readonly rejected?: readonly Rejected[];
}

/** The daily history of a source that sends bars as JSON. */
export function dailyHistory<Config extends FeedConfig>({
  offers,
  spacingMs,
  refusesUnknown = false,
  bars: barsOf,
}: DailyDeclaration<Config>): (config: Config, deps: FeedDeps) => HistorySource {
  return (config, deps) => {
    const { universe, clock, fetchLimits: limits, network } = deps;
    const readWith = createJsonReader({ clock, limits, network });
    const instruments = selectForHistory(offers, { universe, config });
    return {
      name: config.name,
      instruments: instruments.map(({ ticker }) => ticker),
      spacingMs,
      async fetch(request, signal) {
        const { ticker } = request;
        const instrument = universe.get(ticker);
        const calendar = new SessionCalendar(universe.marketOf(instrument));
        const read: BarsRequest['read'] = (url, headers) => readWith({ url, headers }, signal);
        // The instant before the request: a session that ends while it is under way is not over.
        const now = clock.now();
        const dateAt: BarsRequest['dateAt'] = (epochMs) => dateOfInstant(epochMs, calendar);
        const own = { instrument, calendar, dateAt, now, signal, read };
        const sent = await barsOf({ ...request, ...own }, config, deps).catch((fault: unknown) => {
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
  };
}

/** An instant as the number of seconds that many sources take. */
export function epochSeconds(epochMs: number): string {
  return String(Math.floor(epochMs / 1_000));
}

/** A daily bar as a source sent it. Its values are not checked yet, nor are their types. */
export interface SentBar {
  /** Undefined if the source sent no valid date. */
  readonly date: PlainDate | undefined;
  readonly open?: unknown;
  readonly high?: unknown;
  readonly low?: unknown;
  readonly close: unknown;
  readonly volume?: unknown;
}

/**
 * The closes of the bars of one instrument, oldest first. A bar is rejected if it has no price, if its day
 * is a placeholder, in the future, or a day on which the market does not trade, or if it repeats the close
 * before it without any volume. A session is left out until {@link barSettleMs} after its close. Of two
 * bars of one day, the later one is used.
 */
function closesOfBars(
  bars: readonly SentBar[],
  { calendar, now }: { readonly calendar: SessionCalendar; readonly now: number },
): { readonly closes: readonly DailyClose[]; readonly rejected: readonly Rejected[] } {
  const rejected: Rejected[] = [];
  const byDay = new Map<EpochDay, DailyClose>();
  const current = toEpochDay(calendar.sessionAt(now));
  const lastFinal = toEpochDay(calendar.lastSessionOver(now, barSettleMs));
  for (const bar of bars) {
    const close = toClose(bar, calendar);
    if ('reason' in close) rejected.push(close);
    else if (close.day > current) rejected.push(rejectBar('bad-instant', bar));
    else if (close.day <= lastFinal) byDay.set(close.day, close);
  }
  const closes: DailyClose[] = [];
  for (const close of [...byDay.values()].toSorted((a, b) => a.day - b.day)) {
    if (isCarriedForward(close, closes.at(-1))) {
      rejected.push(rejectBar('not-traded', { ...close, date: fromEpochDay(close.day) }));
    } else closes.push(close);
  }
  return { closes, rejected };
}

function toClose(bar: SentBar, { market }: SessionCalendar): DailyClose | Rejected {
  const { date, open, high, low, close, volume } = bar;
  if (date === undefined) return rejectBar('unintelligible', bar);
  if (!isPrice(close)) return rejectBar('no-price', bar);
  const day = toEpochDay(date);
  // No source has bars of days before 1970: such a day is a placeholder.
  if (day < 0 || !market.weekdays.has(isoWeekday(day))) return rejectBar('bad-instant', bar);
  return {
    day,
    close,
    volume: typeof volume === 'number' && volume >= 0 ? volume : null,
    ...pricesOf({ open, high, low }),
  };
}

function isCarriedForward(bar: DailyClose, before: DailyClose | undefined): boolean {
  const prices = [bar.open, bar.high, bar.low].filter((price) => price !== undefined);
  return (
    bar.volume === 0 && bar.close === before?.close && prices.every((price) => price === bar.close)
  );
}

/** The sample has the values in the order of a bar. */
function rejectBar(
  reason: RejectionReason,
  { date, open, high, low, close, volume }: SentBar,
): Rejected {
  const values = { open, high, low, close, volume };
  return { ...reject(reason, values), ...(date !== undefined && { date }) };
}
