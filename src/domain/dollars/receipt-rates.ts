import type { SessionCalendar } from '../calendar/session-calendar.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Quote } from '../quotes/quote.ts';
import { withoutBinaryError } from '../values/rounding.ts';
import { latestInstant, legOf, quotient } from './dollar-rate.ts';
import type { DollarRate } from './dollar-rate.ts';

/** A receipt further from the median than this is left out, in percent. */
const distanceMaxPct = 10;

/** The `base` of the median of all receipts. */
const receiptsBase = 'CEDEARS';

/** A receipt with the share that it represents. */
export interface ReceiptPair {
  readonly receipt: Instrument;
  readonly underlying: Instrument;
  /** How many receipts represent one share. */
  readonly perShare: number;
}

/** The CEDEARs of a universe whose ratio and underlying in dollars are known. */
export function receiptPairs(
  instruments: readonly Instrument[],
  find: (ticker: string) => Instrument | undefined,
): readonly ReceiptPair[] {
  return instruments.flatMap((receipt) => {
    if (receipt.kind !== 'cedear' || receipt.dollarClass !== undefined) return [];
    const [receipts, shares] = (receipt.ratio ?? '').split(':').map(Number);
    const underlying = receipt.underlying === undefined ? undefined : find(receipt.underlying);
    if (underlying?.currency !== 'USD' || receipts === undefined || shares === undefined) return [];
    return [{ receipt, underlying, perShare: receipts / shares }];
  });
}

/**
 * The dollar abroad that receipts imply: the price of the receipts of one share, in pesos, by the price of the
 * share. Both prices are of the latest day and of instants at which both markets were open, because a price
 * from before the other market opened is older than it looks. The first rate is the median of all receipts
 * that traded; those far from it are left out.
 */
export function receiptRates(
  pairs: readonly ReceiptPair[],
  quoteOf: (instrument: Instrument) => Quote | undefined,
  calendarOf: (instrument: Instrument) => SessionCalendar,
): readonly DollarRate[] {
  const all = pairs.flatMap((pair) => rateOf(pair, quoteOf, calendarOf));
  const latest = all.reduce((day, { sessionDate }) => (sessionDate > day ? sessionDate : day), '');
  const rates = all.filter(({ sessionDate }) => sessionDate === latest);
  const [first] = rates;
  if (first === undefined) return [];
  const median = medianOf(rates.map(({ last }) => last));
  const instants = rates.flatMap(({ asOf }) => (asOf === undefined ? [] : [asOf]));
  return [
    {
      dollar: 'cable',
      base: receiptsBase,
      bid: null,
      ask: null,
      last: median,
      sessionDate: first.sessionDate,
      asOf: Math.max(...instants),
      method: 'median',
    },
    ...rates.filter(({ last }) => distancePct(last, median) <= distanceMaxPct),
  ];
}

function rateOf(
  { receipt, underlying, perShare }: ReceiptPair,
  quoteOf: (instrument: Instrument) => Quote | undefined,
  calendarOf: (instrument: Instrument) => SessionCalendar,
): readonly DollarRate[] {
  const above = quoteOf(receipt);
  const below = quoteOf(underlying);
  if (above === undefined || below === undefined || above.volume === 0) return [];
  if (above.sessionDate !== below.sessionDate) return [];
  const isOpen = [above, below].every(
    ({ asOf }) =>
      asOf !== undefined &&
      [receipt, underlying].every((one) => calendarOf(one).stateAt(asOf) === 'open'),
  );
  const prices = quotient(legOf(above), legOf(below), (ratio) => ratio * perShare);
  if (!isOpen || prices === undefined) return [];
  return [
    {
      dollar: 'cable',
      base: receipt.ticker,
      ...prices,
      sessionDate: above.sessionDate,
      asOf: latestInstant(above, below),
      method: 'receipt',
      numerator: receipt.ticker,
      denominator: underlying.ticker,
    },
  ];
}

function distancePct(value: number, from: number): number {
  return withoutBinaryError(Math.abs(value / from - 1) * 100);
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(
    Math.ceil(middle) - 1,
    Math.floor(middle) + 1,
  );
  return (low + high) / 2;
}
