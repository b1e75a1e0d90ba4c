import type { PlainDate } from '../calendar/plain-date.ts';
import type { Ticker } from '../instruments/ticker.ts';
import type { Quote } from '../quotes/quote.ts';
import type { Dollar } from './dollar.ts';

/** How a rate came about. */
export type DollarMethod = 'published' | 'implied' | 'receipt' | 'median';

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
  /** The latest instant of its inputs, in epoch milliseconds. Absent if none has one. */
  readonly asOf?: number | undefined;
  readonly method: DollarMethod;
  readonly numerator?: Ticker | undefined;
  readonly denominator?: Ticker | undefined;
}

/** The prices of one side of a quotient. */
interface Leg {
  readonly last: number;
  readonly bid: number | undefined;
  readonly ask: number | undefined;
}

/** The prices of a quote. */
export function legOf({ last, book }: Quote): Leg {
  return { last, bid: book?.bid, ask: book?.ask };
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

/** The latest of the instants of quotes. */
export function latestInstant(...quotes: readonly Quote[]): number | undefined {
  const instants = quotes.flatMap(({ asOf }) => (asOf === undefined ? [] : [asOf]));
  return instants.length === 0 ? undefined : Math.max(...instants);
}
