import type { HistoryRow, InstrumentInfo } from '../../market/api/quote.ts';
import type { CurrencyCode } from '../../places/chart-choices.ts';
import type { Bar } from '../drawing/bars.ts';
import { isInPesos, shownUnit } from './conversion.ts';
import { spreadName, spreadOf, type SpreadMode } from './spread.ts';

/** An instrument whose prices a chart shows. */
export interface ShownInstrument {
  readonly ticker: string;
  /** Undefined until the list of instruments is loaded. */
  readonly info: Pick<InstrumentInfo, 'moneda'> | undefined;
}

/** A quotient or a difference that a chart shows, or the reason why it cannot. */
export interface Pair {
  readonly first: ShownInstrument;
  readonly second: ShownInstrument;
  readonly name: string;
  /** The unit of its values. Empty for a quotient. */
  readonly unit: string;
  /** What the user can do about a pair in different currencies. Undefined for one that can be shown. */
  readonly refusal: string | undefined;
}

const modeNames: Readonly<Record<SpreadMode, string>> = {
  cociente: 'el cociente',
  diferencia: 'la diferencia',
};

/** The pairs of the first instrument with each of the others. */
export function pairsOf(
  [first, ...others]: readonly ShownInstrument[],
  { currency, mode }: { readonly currency: CurrencyCode; readonly mode: SpreadMode },
): readonly Pair[] {
  if (first === undefined) return [];
  return others.map((second) => ({
    first,
    second,
    name: spreadName(first.ticker, second.ticker, mode),
    unit: mode === 'cociente' ? '' : shownUnit(first.info, currency),
    refusal: refusalOf([first, second], currency, mode),
  }));
}

/** The line of a pair, of the bars of both in the currency of the chart. */
export function barsOfPair(
  { refusal }: Pair,
  [first, second]: readonly [readonly Bar[], readonly Bar[]],
  mode: SpreadMode,
): readonly Bar[] {
  return refusal === undefined ? spreadOf(first, second, mode) : [];
}

/** The daily values of a line as closes, of which statistics can be made. */
export function closesOfLine(name: string, bars: readonly Bar[]): readonly HistoryRow[] {
  return bars.map(({ day, close }) => ({
    especie: name,
    fecha: day,
    ultimo: close,
    volumen: null,
  }));
}

/** Prices in different currencies make no quotient. Those in pesos can be expressed in dollars. */
function refusalOf(
  pair: readonly [ShownInstrument, ShownInstrument],
  currency: CurrencyCode,
  mode: SpreadMode,
): string | undefined {
  const [first, second] = pair;
  if (currencyOf(first, currency) === currencyOf(second, currency)) return undefined;
  const units = pair.map(({ info }) => shownUnit(info, currency));
  const fact = `${first.ticker} está en ${units[0]} y ${second.ticker} en ${units[1]}`;
  const currencies = pair.map((one) => currencyOf(one, 'original'));
  return currencies.toSorted().join() === 'ARS,USD'
    ? `${fact}. Para ver ${modeNames[mode]}, elegir un dólar en «Moneda».`
    : `${fact}, que no se pueden convertir. Para compararlas, elegir «Variación».`;
}

/** The currency of the prices that a chart shows. All dollars are one currency. */
function currencyOf({ info }: ShownInstrument, currency: CurrencyCode): string {
  return currency !== 'original' && isInPesos(info) ? 'USD' : (info?.moneda ?? '');
}
