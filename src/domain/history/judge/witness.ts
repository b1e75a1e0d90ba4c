import { agree } from './move.ts';

/** A report of a price: by whom and when. */
export interface Witness {
  readonly price: number;
  /** The instant of the price, in epoch milliseconds. */
  readonly at: number;
  /** The name of the source. Absent where it is not known. */
  readonly source?: string | undefined;
  /** Whether the source is asked less often than twice a minute. */
  readonly isPolledSlowly?: boolean | undefined;
}

/** Number of different prices that overrule another, and the minimum time between the first and the last. */
const differentPricesMin = 5;
const testimonyMsMin = 2 * 60_000;

/** Number of reports in a row that overrule a price, of a source that is polled slowly. */
const slowReportsMin = 3;

/**
 * Whether prices that agree with each other overrule the last believed price, which contradicts them all:
 * prices of two sources; five different prices over at least two minutes; or three reports in a row of a
 * source that is polled less often than twice a minute.
 *
 * @param earlier the reports before this one that contradict the same price, ascending by arrival
 */
export function overrules(price: Witness, earlier: readonly Witness[]): boolean {
  const agreeing = agreeingWith(price, earlier);
  if (agreeing.some(({ source }) => source !== price.source)) return true;
  if (price.isPolledSlowly === true && hasRow(price, earlier)) return true;
  const different = new Set([price, ...agreeing].map((one) => one.price));
  if (different.size < differentPricesMin) return false;
  return price.at - Math.min(...agreeing.map(({ at }) => at)) >= testimonyMsMin;
}

/** The reports that agree with a price and with each other. Of those that do not, the latest is used. */
function agreeingWith(price: Witness, earlier: readonly Witness[]): readonly Witness[] {
  const agreeing: Witness[] = [];
  let [low, high] = [price.price, price.price];
  for (const one of earlier.toReversed()) {
    if (!agree(low, high, one.price)) continue;
    [low, high] = [Math.min(low, one.price), Math.max(high, one.price)];
    agreeing.push(one);
  }
  return agreeing;
}

/** Whether the last reports of the same source, at different instants, agree with a price. */
function hasRow(price: Witness, earlier: readonly Witness[]): boolean {
  const reports = earlier.filter(({ source, at }) => source === price.source && at < price.at);
  const last = reports.slice(-(slowReportsMin - 1));
  return (
    last.length === slowReportsMin - 1 &&
    new Set(last.map(({ at }) => at)).size === last.length &&
    agree(price.price, ...last.map((one) => one.price))
  );
}
