import {
  agree,
  isBeyondBound,
  isBeyondSessionBound,
} from '../../../src/domain/history/judge/move.ts';
import type { Quote } from '../../../src/domain/quotes/quote.ts';
import type { Sent } from './stand-ins.ts';
import { sketchOf, sourceNames, type SourceName, type TradedTicker } from './true-market.ts';

/** Why a true price was not shown in the second in which it came. */
type Reason = 'base' | 'jump' | 'other';

/** A true price, or several of them, that was not shown at once. */
interface Withheld {
  readonly ticker: TradedTicker;
  readonly source: SourceName;
  /** The time in which the source answered: an outage is not counted. */
  readonly ms: number;
  readonly reason: Reason;
}

/** The interval of each source's polls with the spread, the pauses between requests and their order. */
const pollMs: Readonly<Record<SourceName, number>> = {
  data912: 24_000,
  byma: 72_000,
  dolarapi: 68_000,
  yahoo: 1_000_000,
};

/** Of an instrument: the true prices that have come and are not shown. */
interface Waiting {
  readonly since: number;
  readonly reason: Reason;
  /** The instant of the first of them. */
  readonly firstAt: number;
  source: SourceName;
  countedMs: number;
  countedAt: number;
  /** How many polls gave a slip instead. */
  slips: number;
  /** Those that count as witnesses: not those from before a restart. */
  sent: Sent[];
}

const slowly: ReadonlySet<SourceName> = new Set(['byma', 'dolarapi', 'yahoo']);

/** Measures how long true prices are withheld, by the words of docs/quote-semantics.md alone. */
export class WithheldPrices {
  readonly done: Withheld[] = [];
  readonly tooLong: string[] = [];
  /** How many true prices came from the source in use. */
  came = 0;
  readonly #isDown: (source: SourceName) => boolean;
  readonly #waiting = new Map<TradedTicker, Waiting>();
  readonly #unseen: (Sent & { readonly before: Quote | undefined })[] = [];

  constructor(isDown: (source: SourceName) => boolean) {
    this.#isDown = isDown;
  }

  /** A source sends a row. */
  add(sent: Sent, before: Quote | undefined): void {
    const { ticker, source, isSlip, isNews, at } = sent;
    if (isSlip) {
      // Three reports in a row is what a source that is polled slowly must give.
      const waiting = this.#waiting.get(ticker);
      if (waiting !== undefined) waiting.slips += 1;
      if (waiting !== undefined && slowly.has(source)) waiting.sent = [];
      return;
    }
    if (!isNews || (isToday(before, at) && (before?.asOf ?? 0) >= at)) return;
    const higher = sourceNames.slice(0, sourceNames.indexOf(source));
    const isInUse = higher.every(
      (other) => !sketchOf(ticker).sources.includes(other) || this.#isDown(other),
    );
    if (isInUse) this.#unseen.push({ ...sent, before });
  }

  restart(): void {
    for (const waiting of this.#waiting.values()) waiting.sent = [];
  }

  /** All that has come was folded: compares it with what is shown. */
  compare(now: number, shown: (ticker: TradedTicker) => Quote | undefined): void {
    for (const { before, ...sent } of this.#unseen.splice(0)) {
      this.came += 1;
      const { ticker, source, price, at } = sent;
      const quote = shown(ticker);
      if (isShown(quote, at)) continue;
      const reason = reasonOf(sent, before);
      const waiting = this.#waiting.get(ticker) ?? {
        since: now,
        reason,
        source,
        countedMs: 0,
        countedAt: now,
        slips: 0,
        firstAt: at,
        sent: [],
      };
      this.#waiting.set(ticker, waiting);
      count(waiting, now);
      waiting.source = source;
      waiting.sent.push(sent);
      if (!mustBeShown(waiting)) continue;
      const since = new Date(waiting.since).toISOString();
      this.tooLong.push(
        `${new Date(now).toISOString()} ${ticker}: ${price} of ${source} (${reason}, since ${since}); shown: ${quote?.last}`,
      );
    }
    for (const [ticker, waiting] of this.#waiting) {
      const { source, reason, firstAt } = waiting;
      if (!isShown(shown(ticker), firstAt)) continue;
      count(waiting, now);
      this.#waiting.delete(ticker);
      const ms = waiting.countedMs;
      this.done.push({ ticker, source, reason, ms });
      if (ms <= longestMs(waiting)) continue;
      this.tooLong.push(
        `${new Date(now).toISOString()} ${ticker}: ${ms} ms (${reason}, ${source})`,
      );
    }
  }

  /** The instruments with a true price that is not shown. */
  get waiting(): readonly TradedTicker[] {
    return [...this.#waiting.keys()];
  }
}

/** Counts the time since the poll before, or that of one poll if polls have failed in between. */
function count(waiting: Waiting, now: number): void {
  waiting.countedMs += Math.min(now - waiting.countedAt, pollMs[waiting.source]);
  waiting.countedAt = now;
}

/** What the decisions take: three slow polls, or two minutes and a poll. */
function longestMs({ reason, source, slips }: Waiting): number {
  const poll = pollMs[source];
  const repeated = slips * poll;
  if (reason === 'other') return 0;
  return (slowly.has(source) ? 2 * poll : 120_000 + poll) + repeated;
}

function isShown(quote: Quote | undefined, at: number): boolean {
  return isToday(quote, at) && (quote?.asOf ?? 0) >= at;
}

/** Whether a quote is of the session of an instant: the sessions are a night apart. */
function isToday(quote: Quote | undefined, at: number): boolean {
  return quote?.asOf !== undefined && at - quote.asOf < 8 * 3_600_000;
}

function reasonOf({ ticker, price, at }: Sent, before: Quote | undefined): Reason {
  if (before === undefined) return 'other';
  const [isBeyond, reason] = isToday(before, at)
    ? ([isBeyondSessionBound, 'jump'] as const)
    : ([isBeyondBound, 'base'] as const);
  return isBeyond(sketchOf(ticker).kind, before.last, price) ? reason : 'other';
}

function mustBeShown({ reason, sent }: Waiting): boolean {
  const last = sent.at(-1);
  if (last === undefined || reason === 'other') return true;
  const agreeing = sent.filter(({ price }) => agree(price, last.price));
  const different = new Set(agreeing.map(({ at }) => at)).size;
  const own = agreeing.filter(({ source }) => source === last.source);
  if (own.length < agreeing.length) return true;
  if (slowly.has(last.source)) return different >= 3;
  const prices = new Set(own.map(({ price }) => price));
  return prices.size >= 5 && last.at - (own[0]?.at ?? last.at) >= 120_000;
}
