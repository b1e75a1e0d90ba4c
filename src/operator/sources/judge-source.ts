import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Universe } from '../../domain/instruments/universe.ts';
import type { ConfiguredFeed } from '../../feeds/contract/feed-config.ts';
import { marketsOf, TradingHours } from '../../feeds/contract/trading-hours.ts';
import type { Secrets } from '../../feeds/contract/secrets.ts';
import { adviseOnRows, adviseOnStart, advise } from './advise.ts';
import {
  failureOf,
  type ExchangeRecord,
  type FailedAt,
  type RejectedRows,
  type SourceRecord,
} from './exchange-record.ts';
import { shownUrl } from './shown-url.ts';

/**
 * The result of a check. `closed`: no price came, and none is expected while the markets are closed.
 * `warning`: a part of what came is not understood. `skipped`: there is nothing to connect to.
 */
type CheckState = 'fine' | 'closed' | 'warning' | 'wrong' | 'skipped';

/** The result of one request or connection. It contains no key, no token and no query of the configuration. */
export interface PathCheck {
  readonly kind: 'request' | 'socket';
  readonly method: string;
  readonly url: string;
  readonly state: CheckState;
  /** Whether the server sent a response. */
  readonly reached: boolean;
  readonly status?: number | undefined;
  /** From the request to the head of the response, in milliseconds. */
  readonly responseMs?: number | undefined;
  /** From the request to the end of the body, or to the latest message. In milliseconds. */
  readonly totalMs?: number | undefined;
  readonly bytes: number;
  /** Messages of a WebSocket. */
  readonly messages?: number | undefined;
  /** Rows that the source sent, such as the entries of a list or the trades of a message. */
  readonly rows: number;
  /** The rows that were not rejected. */
  readonly understood: number;
  readonly rejected: readonly RejectedRows[];
  /** Instruments with a price. */
  readonly instruments: number;
  /** How long the latest row was in transit, in seconds. Absent where the rows have no instant of their own. */
  readonly newestRowSeconds?: number | undefined;
  readonly failedAt?: FailedAt | undefined;
  /** What is wrong. Absent if nothing is. */
  readonly says?: string | undefined;
  readonly todo?: string | undefined;
}

/** The result of the check of one source. */
export interface SourceCheck {
  readonly name: string;
  readonly type: string;
  readonly state: CheckState;
  /** The result in one sentence. */
  readonly says: string;
  /** What to do. Absent if there is nothing to do. */
  readonly todo?: string | undefined;
  readonly instruments: {
    readonly expected: number;
    readonly served: number;
    readonly missing: readonly Ticker[];
  };
  /** Of all markets of the instruments together. */
  readonly market?: { readonly isOpen: boolean; readonly opensAt?: string } | undefined;
  /** By the configuration. Absent for a source that is not polled. */
  readonly delayMinutes?: number | undefined;
  /** How old the latest row of each instrument was when it arrived, in seconds: the least, and the median. */
  readonly newestRowSeconds?: number | undefined;
  readonly medianRowSeconds?: number | undefined;
  readonly rows: number;
  readonly understood: number;
  /** Requests of a poll that were not sent, because the poll ended before them. */
  readonly notRequested: number;
  readonly paths: readonly PathCheck[];
}

/** Why a check of a source ended before its poll did. */
export type Ended = 'interrupted' | 'timed-out';

/** What a source is judged by. */
export interface Observed {
  readonly feed: ConfiguredFeed;
  readonly record: SourceRecord;
  /** The fault that ended the feed. */
  readonly fault: unknown;
  readonly ended: Ended | undefined;
  /** When the check began, in epoch milliseconds. */
  readonly startedAt: number;
  readonly universe: Universe;
  readonly secrets: Secrets;
  /** How long a WebSocket was given to send rows, in milliseconds. */
  readonly waitMs: number;
  readonly timeoutMs: number;
}

/**
 * The reasons of rows that are not as the source documents them. The others occur every day: an exchange with
 * an old or a crossed quote, an instrument that the source does not have.
 */
const odd: ReadonlySet<string> = new Set([
  'too-long',
  'unintelligible',
  'bad-instant',
  'incomplete',
]);

/** How far the clock of a source may be ahead, in seconds. The engine refuses later prices. */
const aheadSecondsMax = 60;

type Judged = Pick<PathCheck, 'state' | 'says' | 'todo'>;

/** Judges what was observed of one source. */
export function judgeSource(observed: Observed): SourceCheck {
  const { record, feed } = observed;
  const { name, type, delayMinutes } = feed.config;
  const { plan, exchanges } = record;
  const expected = plan?.tickers ?? new Set<Ticker>();
  const market = marketState(expected, observed);
  const paths = exchanges.map((one) => judgePath(one, { ...observed, ...market }));
  const served = new Set(exchanges.flatMap(({ ages }) => [...ages.keys()]));
  const missing = [...expected].filter((ticker) => !served.has(ticker));
  const ages = agesOf(exchanges);
  const planned = exchanges.filter(({ request }) => request.kind === plan?.kind);
  const facts = {
    instruments: { expected: expected.size, served: expected.size - missing.length, missing },
    market: expected.size === 0 ? undefined : market,
    delayMinutes,
    newestRowSeconds: ages[0],
    medianRowSeconds: ages[Math.floor((ages.length - 1) / 2)],
    rows: sum(paths, ({ rows }) => rows),
    understood: sum(paths, ({ understood }) => understood),
    notRequested: Math.max((plan?.paths ?? 0) - planned.length, 0),
    paths,
  };
  const { says = '', ...judged } = judgeWhole(observed, facts);
  return { name, type, ...judged, says, ...facts };
}

/** The result for a source that connects to nothing. */
export function skippedSource(
  { config: { name, type } }: ConfiguredFeed,
  says: string,
): SourceCheck {
  return {
    name,
    type,
    state: 'skipped',
    says,
    instruments: { expected: 0, served: 0, missing: [] },
    rows: 0,
    understood: 0,
    notRequested: 0,
    paths: [],
  };
}

type MarketState = NonNullable<SourceCheck['market']>;

function marketState(
  tickers: ReadonlySet<Ticker>,
  { universe, feed: { config }, startedAt }: Observed,
): MarketState {
  const markets = marketsOf(universe, tickers);
  const graceMs = (config.delayMinutes ?? 0) * 60_000;
  const hours = new TradingHours(universe, { markets, graceMs });
  if (markets.size === 0 || hours.isOpen(startedAt)) return { isOpen: true };
  return { isOpen: false, opensAt: new Date(hours.nextOpenAt(startedAt)).toISOString() };
}

function judgePath(one: ExchangeRecord, context: Observed & MarketState): PathCheck {
  const { request, status, responseMs, totalMs, failure } = one;
  const { kind, method, url } = request;
  const { says, ...judged } = judgeExchange(one, context);
  const clean = (text: string): string => context.secrets.redact(text, { short: true });
  const [newest] = agesOf([one]);
  return {
    kind,
    method,
    url: clean(shownUrl(url, context.feed.config)),
    ...judged,
    reached: status !== undefined,
    status,
    responseMs,
    totalMs,
    bytes: one.bytes,
    messages: kind === 'socket' ? one.messages : undefined,
    rows: one.rows,
    understood: one.understood,
    rejected: [...one.rejected.values()].map((rows) => ({
      ...rows,
      samples: rows.samples.map(clean),
    })),
    instruments: one.ages.size,
    newestRowSeconds: newest,
    failedAt: failure?.at,
    says: says === undefined ? undefined : clean(says),
  };
}

function judgeExchange(
  { request, failure, status, rows, understood, rejected, isMapped }: ExchangeRecord,
  { feed: { config }, isOpen, opensAt = '', waitMs }: Observed & MarketState,
): Judged {
  if (failure !== undefined) {
    const todo = advise(failure, { config, host: request.url.hostname, status, isOpen });
    return { state: 'wrong', says: failure.message, todo };
  }
  if (status === undefined || (request.wantedHeader === undefined && isUnread(request, isMapped))) {
    return { state: 'wrong', says: 'the check ended before the response did' };
  }
  const strange = [...rejected.values()].filter(({ reason }) => odd.has(reason));
  if (strange.length > 0) {
    const counts = strange.map(({ reason, count }) => `${count} ${reason}`).join(', ');
    const says = `some of what came is not as the source documents it: ${counts}`;
    return { state: 'warning', says, todo: adviseOnRows };
  }
  if (request.kind === 'socket' && rows === 0) {
    const seconds = Math.round(waitMs / 1_000);
    if (!isOpen) {
      return { state: 'closed', says: `no rows, and none are expected until ${opensAt}` };
    }
    const todo = `Check again with a longer --wait. If nothing comes, no instrument may have traded, or the source ignores the subscription: ${adviseOnRows}`;
    return { state: 'wrong', says: `no rows within ${seconds} s`, todo };
  }
  const isWithoutPrice = rejected.has('no-price') || rejected.has('not-traded');
  if (!isOpen && understood === 0 && isWithoutPrice) {
    return { state: 'closed', says: `no row has a price, and none is expected until ${opensAt}` };
  }
  return { state: 'fine' };
}

/** Whether the body of a response has not been read. A connection may have no message. */
function isUnread({ kind }: ExchangeRecord['request'], isMapped: boolean): boolean {
  return kind === 'request' && !isMapped;
}

function judgeWhole(
  { feed: { config }, record, fault, ended, timeoutMs, secrets }: Observed,
  {
    instruments: { expected, served },
    market,
    newestRowSeconds: newest = 0,
    notRequested,
    paths,
  }: Pick<SourceCheck, 'instruments' | 'market' | 'newestRowSeconds' | 'notRequested' | 'paths'>,
): Judged {
  const { isOpen, opensAt = '' } = market ?? { isOpen: true };
  if (fault !== undefined && !record.exchanges.some((one) => one.fault === fault)) {
    const failure = failureOf(fault, undefined);
    const says = secrets.redact(failure.message, { short: true });
    return { state: 'wrong', says, todo: adviseOnStart(failure, config) };
  }
  const missed = notRequested > 0 ? `; ${notRequested} more paths were not requested` : '';
  if (ended === 'interrupted') return { state: 'wrong', says: `interrupted${missed}` };
  if (ended === 'timed-out') {
    const says = `not finished within ${Math.round(timeoutMs / 1_000)} s${missed}`;
    return { state: 'wrong', says, todo: 'Check this source alone, with a longer --timeout.' };
  }
  const failed = paths.filter(({ state }) => state === 'wrong');
  const [first] = failed;
  if (first !== undefined) {
    const says =
      paths.length === 1 ? (first.says ?? '') : `${failed.length} of ${paths.length} paths failed`;
    return { state: 'wrong', says: `${says}${missed}`, todo: first.todo };
  }
  if (record.plan === undefined) {
    const says =
      'no instrument of the universe is taken from this source, so the service requests nothing';
    return { state: 'warning', says, todo: 'Check `instruments` of this source and the universe.' };
  }
  if (served === 0 && !isOpen) {
    return {
      state: 'closed',
      says: `the markets are closed; nothing is expected until ${opensAt}`,
    };
  }
  if (served === 0) {
    const says = 'reached, but no instrument has a price';
    return { state: 'wrong', says, todo: adviseOnRows };
  }
  if (newest < -aheadSecondsMax) {
    const says = `the newest row is ${-newest} s ahead of the clock of this machine`;
    return { state: 'warning', says, todo: 'Check the clock of this machine: timedatectl.' };
  }
  const closed = isOpen ? '' : `; the markets are closed until ${opensAt}`;
  const says = `${served} of ${expected} instruments have a price${closed}`;
  const doubtful = paths.find(({ state }) => state === 'warning');
  if (doubtful === undefined) return { state: 'fine', says };
  return { state: 'warning', says, todo: doubtful.todo };
}

/** How old the latest row of each instrument was, in whole seconds, ascending. Below 0: ahead of this machine. */
function agesOf(exchanges: readonly ExchangeRecord[]): readonly number[] {
  const least = new Map<Ticker, number>();
  for (const { ages } of exchanges) {
    for (const [ticker, ms] of ages) {
      if (ms === undefined) continue;
      least.set(ticker, Math.min(Math.round(ms / 1_000), least.get(ticker) ?? Infinity));
    }
  }
  return [...least.values()].toSorted((a, b) => a - b);
}

function sum<T>(list: readonly T[], value: (one: T) => number): number {
  return list.reduce((total, one) => total + value(one), 0);
}
