import type { PlainDate } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { Quote } from '../quotes/quote.ts';
import type { Dollar } from './dollar.ts';

/** How a rate came about. */
export type DollarMethod = 'published' | 'implied' | 'receipt' | 'median';

/**
 * Whether a rate can be used as it is: it cannot if one of its prices or the rate itself contradicts what else is
 * known. If one of its prices is much older than the other, it is named.
 */
export type RateState = 'ok' | 'doubtful-price' | { readonly late: Ticker };

/** A price that is older than the other one by more than this is late, in milliseconds. */
const latenessMaxMs = 15 * 60_000;

/** What one dollar costs, by one way to buy it. Pesos; percent for `cable-over-mep`. */
export interface DollarRate {
  readonly dollar: Dollar;
  /** The security of whose classes it is the quotient, or the market that publishes it. */
  readonly base: string;
  /** Null without both orders that it needs. Sizes are ignored. */
  readonly bid: number | null;
  readonly ask: number | null;
  readonly last: number;
  readonly sessionDate: PlainDate;
  /** The instant of the older of its inputs, in epoch milliseconds. Absent if that of one is not known. */
  readonly asOf?: number | undefined;
  readonly method: DollarMethod;
  readonly numerator?: Ticker | undefined;
  readonly denominator?: Ticker | undefined;
  readonly state: RateState;
}

/** The prices of one side of a quotient. */
interface Leg {
  readonly last: number;
  readonly bid: number | undefined;
  readonly ask: number | undefined;
}

/**
 * The rate of two quotes of one session. Undefined without both, for quotes of different sessions, and if the
 * quotient is not a number.
 */
export function rateOfQuotes(
  above: Quote | undefined,
  below: Quote | undefined,
  rate: Pick<DollarRate, 'dollar' | 'base' | 'method'>,
  transform: (value: number) => number,
): DollarRate | undefined {
  if (above === undefined || below === undefined) return undefined;
  if (above.sessionDate !== below.sessionDate) return undefined;
  const prices = quotient(legOf(above), legOf(below), transform);
  if (prices === undefined) return undefined;
  return {
    ...rate,
    ...prices,
    sessionDate: above.sessionDate,
    ...timesOf(above, below),
    numerator: above.instrument.ticker,
    denominator: below.instrument.ticker,
  };
}

/** The prices of a quote. */
function legOf({ last, book }: Quote): Leg {
  return { last, bid: book?.bid, ask: book?.ask };
}

/** The instant of the older of two quotes, and which of them is late. */
function timesOf(above: Quote, below: Quote): Pick<DollarRate, 'asOf' | 'state'> {
  if (above.asOf === undefined || below.asOf === undefined) return { state: 'ok' };
  const older = above.asOf < below.asOf ? above : below;
  const isLate = Math.abs(above.asOf - below.asOf) > latenessMaxMs;
  return { asOf: older.asOf, state: isLate ? { late: older.instrument.ticker } : 'ok' };
}

/**
 * A leg divided by another one, and then transformed. Who buys the quotient buys the numerator and sells the
 * denominator: so the bid is the bid of the numerator by the ask of the denominator.
 */
export function quotient(
  numerator: Leg,
  denominator: Leg,
  transform: (value: number) => number,
): Pick<DollarRate, 'bid' | 'ask' | 'last'> | undefined {
  const last = divided(numerator.last, denominator.last, transform);
  if (last === null) return undefined;
  return {
    bid: divided(numerator.bid, denominator.ask, transform),
    ask: divided(numerator.ask, denominator.bid, transform),
    last,
  };
}

/** Null where a price is missing or the quotient is not a number. */
function divided(
  above: number | undefined,
  below: number | undefined,
  transform: (value: number) => number,
): number | null {
  if (above === undefined || below === undefined) return null;
  const value = transform(above / below);
  return Number.isFinite(value) ? value : null;
}
