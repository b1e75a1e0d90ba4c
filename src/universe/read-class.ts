import {
  dollarPayments,
  type DollarClass,
  type Instrument,
} from '../domain/instruments/instrument.ts';
import {
  parseTicker,
  tickerKey,
  type Ticker,
  type TickerKey,
} from '../domain/instruments/ticker.ts';
import { listed } from './files/universe-fault.ts';

type Wrong = (column: 'base' | 'class', value: string, message: string) => void;

/** Reads the two cells of a class in dollars. Both are empty, or neither. */
export function readClass(
  cells: { readonly base: string; readonly class: string },
  wrong: Wrong,
): { readonly dollarClass?: DollarClass } {
  const { base: baseText, class: paidText } = cells;
  if (baseText === '' && paidText === '') return {};
  const base = parseTicker(baseText);
  const paid = dollarPayments.find((one) => one === paidText);
  if (base === undefined) {
    wrong(
      'base',
      baseText,
      'must be the ticker of the class in pesos; leave class empty without one',
    );
  }
  if (paid === undefined) {
    wrong('class', paidText, `must be ${listed(dollarPayments)}; leave base empty without one`);
  }
  return base === undefined || paid === undefined ? {} : { dollarClass: { base, paid } };
}

/** An instrument with a class in dollars, and how to report its cells. */
export interface ReadClass {
  readonly instrument: Instrument;
  readonly wrong: Wrong;
}

/**
 * Compares the classes in dollars with their classes in pesos, once all rows are read.
 *
 * @param declared the tickers of all rows. The row of a base that has faults of its own is not compared.
 */
export function checkClasses(
  classes: readonly ReadClass[],
  byKey: ReadonlyMap<TickerKey, Instrument>,
  declared: ReadonlyMap<TickerKey, number>,
): void {
  const seen = new Map<string, Instrument>();
  for (const { instrument, wrong } of classes) {
    const { dollarClass } = instrument;
    if (dollarClass === undefined) continue;
    const { base: written, paid } = dollarClass;
    const key = tickerKey(written);
    const base = byKey.get(key);
    if (!declared.has(key)) wrong('base', written, 'unknown ticker; add a row for it');
    if (base === undefined) continue;
    const fault = faultOf(instrument, base, written);
    if (fault !== undefined) wrong('base', written, fault);
    const other = seen.get(`${key} ${paid}`);
    if (other !== undefined) {
      wrong('class', paid, `${other.ticker} is the ${paid} class of ${base.ticker} already`);
    }
    seen.set(`${key} ${paid}`, instrument);
  }
}

/** Why one instrument cannot be the class in pesos of another one. */
function faultOf(instrument: Instrument, base: Instrument, written: Ticker): string | undefined {
  if (base.ticker !== written) return `write it as its row does, ${base.ticker}`;
  if (instrument.currency !== 'USD') return 'only an instrument in USD is a class in dollars';
  if (base.currency !== 'ARS') return `${base.ticker} is not in ARS; name the class in pesos`;
  if (base.kind !== instrument.kind) return `${base.ticker} is a ${base.kind}; both have one kind`;
  return undefined;
}
