import { withoutBinaryError } from '../values/rounding.ts';

/** Values that differ by at most this agree, in percent. */
const agreementPct = 10;

/** Number of values that agree and so need no other witness. */
const agreeingMin = 3;

/** What a dollar costs by one way is at most this number of times what it costs by another one. */
const timesMax = 4;

/** What is known about a dollar beside its rates. */
interface Witnesses {
  /** A value that is believed if fewer than three rates agree. */
  readonly reference?: number | undefined;
  /** Another dollar of the day. */
  readonly anchor?: number | undefined;
}

/** Which rates of one dollar of one session can be believed. */
interface Believed {
  /** Undefined if fewer than three rates agree with it. */
  readonly median: number | undefined;
  readonly includes: (rate: number) => boolean;
}

/**
 * Compares the rates of one dollar of one session. If at least three rates are within 10 % of their median, the
 * rates within 10 % of the median are believed. Otherwise those within 10 % of the reference are, if the reference
 * is plausible beside the other dollar. Without a plausible reference, the plausible rates are believed if they
 * agree with each other.
 */
export function believedRates(
  rates: readonly number[],
  { reference, anchor }: Witnesses = {},
): Believed {
  const isPlausible = (rate: number): boolean =>
    anchor === undefined || (rate <= anchor * timesMax && rate >= anchor / timesMax);
  const plausible = rates.filter(isPlausible);
  // Another dollar alone does not outweigh three rates that agree.
  const median =
    agreedMedian(plausible) ?? (plausible.length === 0 ? agreedMedian(rates) : undefined);
  if (median !== undefined) return { median, includes: (rate) => agree(rate, median) };
  if (reference !== undefined && isPlausible(reference)) {
    return { median, includes: (rate) => agree(rate, reference) };
  }
  const isOne = agree(Math.max(...plausible), Math.min(...plausible));
  return { median, includes: (rate) => isOne && isPlausible(rate) };
}

/** The median of rates, if at least three of them agree with it. */
function agreedMedian(rates: readonly number[]): number | undefined {
  const median = medianOf(rates);
  return rates.filter((rate) => agree(rate, median)).length < agreeingMin ? undefined : median;
}

function agree(rate: number, with_: number): boolean {
  return withoutBinaryError(Math.abs(rate / with_ - 1) * 100) <= agreementPct;
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
