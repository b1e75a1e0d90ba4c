import type { InstrumentInfo } from '../../market/api/quote.ts';
import type { CurrencyCode } from '../../places/chart-choices.ts';
import type { Bar, ChartTime } from '../drawing/bars.ts';
import { isInPesos, shownUnit } from './conversion.ts';

/** An instrument whose prices a chart shows. */
interface ShownInstrument {
  readonly ticker: string;
  /** Undefined until the list of instruments is loaded. */
  readonly info: Pick<InstrumentInfo, 'moneda'> | undefined;
}

/**
 * Why a chart cannot show the quotient of two instruments, and what the user can do. Prices in different currencies
 * make none. Those in pesos can be expressed in dollars.
 */
export function refusalOf(
  pair: readonly [ShownInstrument, ShownInstrument],
  currency: CurrencyCode,
): string | undefined {
  const [first, second] = pair;
  if (currencyOf(first, currency) === currencyOf(second, currency)) return undefined;
  const units = pair.map(({ info }) => shownUnit(info, currency));
  const fact = `${first.ticker} está en ${units[0]} y ${second.ticker} en ${units[1]}`;
  const currencies = pair.map((one) => currencyOf(one, 'original'));
  return currencies.toSorted().join() === 'ARS,USD'
    ? `${fact}. Para ver el cociente, elegir un dólar en «Moneda».`
    : `${fact}, que no se pueden convertir. Para compararlas, elegir «Variación».`;
}

/** The currency of the prices that a chart shows. All dollars are one currency. */
function currencyOf({ info }: ShownInstrument, currency: CurrencyCode): string {
  return currency !== 'original' && isInPesos(info) ? 'USD' : (info?.moneda ?? '');
}

/**
 * The quotient of two instruments, as a series of its own.
 *
 * A day has a value only if both have a close. Intraday, a bar of either has one, with the latest price
 * of the other in the same session, because two instruments seldom trade in the same minutes. A quotient
 * by zero has no value.
 */
export function quotientOf(first: readonly Bar[], second: readonly Bar[]): readonly Bar[] {
  const isIntraday = typeof (first[0] ?? second[0])?.time === 'number';
  const pairs = isIntraday ? latestPairs(first, second) : pairsOfDays(first, second);
  return pairs.flatMap(({ time, day, one, other }) => {
    return other === 0 ? [] : [{ time, day, close: one / other, volume: null }];
  });
}

/** The prices of two instruments at one time. */
interface Prices {
  readonly time: ChartTime;
  readonly day: string;
  readonly one: number;
  readonly other: number;
}

function pairsOfDays(first: readonly Bar[], second: readonly Bar[]): readonly Prices[] {
  const others = new Map(second.map(({ time, close }) => [time, close]));
  return first.flatMap(({ time, day, close }) => {
    const other = others.get(time);
    return other === undefined ? [] : [{ time, day, one: close, other }];
  });
}

function latestPairs(first: readonly Bar[], second: readonly Bar[]): readonly Prices[] {
  const pairs: Prices[] = [];
  for (let [at, beside] = [0, 0]; at < first.length || beside < second.length;) {
    const [next, nextBeside] = [timeAt(first, at), timeAt(second, beside)];
    if (next <= nextBeside) at += 1;
    if (nextBeside <= next) beside += 1;
    const [one, other] = [first[at - 1], second[beside - 1]];
    if (one === undefined || other === undefined || one.day !== other.day) continue;
    const time = Math.min(next, nextBeside);
    pairs.push({ time, day: one.day, one: one.close, other: other.close });
  }
  return pairs;
}

/** The time of an intraday bar. It is later than all after the last one. */
function timeAt(bars: readonly Bar[], at: number): number {
  return Number(bars[at]?.time ?? Number.POSITIVE_INFINITY);
}
