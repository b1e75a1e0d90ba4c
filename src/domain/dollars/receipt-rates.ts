import type { PlainDate } from '../calendar/plain-date.ts';
import type { SessionCalendar } from '../calendar/session-calendar.ts';
import type { Instrument } from '../instruments/instrument.ts';
import type { Quote } from '../quotes/quote.ts';
import { believedRates } from './believed-rates.ts';
import { rateOfQuotes, type DollarRate } from './dollar-rate.ts';

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
 * from before the other market opened is older than it looks. The first rate is the median of all receipts that
 * traded, if at least three agree with it. Those far from it are left out; without a median, those far from the
 * dollar abroad of other securities, or from each other.
 */
export function receiptRates(
  pairs: readonly ReceiptPair[],
  quoteOf: (instrument: Instrument) => Quote | undefined,
  known: {
    readonly calendarOf: (instrument: Instrument) => SessionCalendar;
    /** The dollar abroad of other securities, and the wholesale dollar, if they are comparable with a rate. */
    readonly cableFor: (rate: DollarRate) => number | undefined;
    readonly wholesaleFor: (rate: DollarRate) => number | undefined;
  },
): readonly DollarRate[] {
  const all = pairs.flatMap((pair) => rateOf(pair, quoteOf, known.calendarOf));
  const latest = all.reduce((day, { sessionDate }) => (sessionDate > day ? sessionDate : day), '');
  const rates = all.filter(({ sessionDate }) => sessionDate === latest);
  const [first] = rates;
  if (first === undefined) return [];
  const { median, includes } = believedRates(
    rates.map(({ last }) => last),
    { reference: known.cableFor(first), anchor: known.wholesaleFor(first) },
  );
  const believed = rates.filter(({ last }) => includes(last));
  return median === undefined
    ? believed
    : [medianRate(believed, { median, sessionDate: first.sessionDate }), ...believed];
}

/** The median as a rate. It is as old as the older of the rates beside it. */
function medianRate(
  rates: readonly DollarRate[],
  { median, sessionDate }: { readonly median: number; readonly sessionDate: PlainDate },
): DollarRate {
  const distances = rates.map(({ last }) => Math.abs(last - median));
  const least = Math.min(...distances);
  const beside = rates.filter((_, at) => (distances[at] ?? 0) - least <= median * 1e-9);
  return {
    dollar: 'cable',
    base: receiptsBase,
    bid: null,
    ask: null,
    last: median,
    sessionDate,
    asOf: Math.min(...beside.map(({ asOf = Number.NaN }) => asOf)),
    method: 'median',
    state: 'ok',
  };
}

function rateOf(
  { receipt, underlying, perShare }: ReceiptPair,
  quoteOf: (instrument: Instrument) => Quote | undefined,
  calendarOf: (instrument: Instrument) => SessionCalendar,
): readonly DollarRate[] {
  const above = quoteOf(receipt);
  const below = quoteOf(underlying);
  if (above?.volume === 0) return [];
  const wereOpen = [above, below].every(
    (quote) =>
      quote?.asOf !== undefined &&
      [receipt, underlying].every((one) => calendarOf(one).stateAt(quote.asOf ?? 0) === 'open'),
  );
  if (!wereOpen) return [];
  const own = { dollar: 'cable', base: receipt.ticker, method: 'receipt' } as const;
  const rate = rateOfQuotes(above, below, own, (ratio) => ratio * perShare);
  return rate === undefined ? [] : [rate];
}
