import type { HistoryRow, InstrumentInfo, IntradayRow } from '../../market/api/quote.ts';
import { unitNameOf } from '../../market/format/numbers.ts';
import type { CurrencyCode, DollarCode } from '../../places/chart-choices.ts';
import type { Bar } from '../drawing/bars.ts';

/**
 * The dollars in which prices in pesos can be shown: the instrument of the service whose prices are pesos for it, the
 * unit of converted prices, and the name within a sentence. The official dollar is the one that the service compares
 * MEP and CCL with: the retail ask of Banco Nación.
 */
export const dollars: Readonly<
  Record<DollarCode, { readonly ticker: string; readonly unit: string; readonly name: string }>
> = {
  mep: { ticker: 'DOLAR MEP', unit: 'USD MEP', name: 'dólar MEP' },
  ccl: { ticker: 'DOLAR CCL', unit: 'USD CCL', name: 'dólar CCL' },
  oficial: { ticker: 'DOLAR OFICIAL', unit: 'USD oficial', name: 'dólar oficial' },
};

/** The instrument whose prices divide prices in pesos. Undefined if none is needed. */
export function dollarOf(currency: CurrencyCode): string | undefined {
  return currency === 'original' ? undefined : dollars[currency].ticker;
}

/** Whether the prices of an instrument are in pesos. Only those can be expressed in dollars. */
export function isInPesos(info: Pick<InstrumentInfo, 'moneda'> | undefined): boolean {
  return info?.moneda === 'ARS';
}

/** The unit in which a chart shows the prices of an instrument: `ARS`, `USD MEP`, `USD`, `%`. */
export function shownUnit(
  info: Pick<InstrumentInfo, 'moneda'> | undefined,
  currency: CurrencyCode,
): string {
  return currency !== 'original' && isInPesos(info) ? dollars[currency].unit : unitNameOf(info);
}

/** A row in dollars. Each of its prices is divided by one price of the dollar, so that its candle keeps its shape. */
export type InDollars<Row> = Row & {
  /** The instrument that divided the prices, and its price. */
  readonly conversion: string;
  readonly dolar: number;
};

/** Rows in dollars. */
interface Converted<Row> {
  readonly rows: readonly InDollars<Row>[];
  /** The rows for which the price of the dollar is not known. They are left out. */
  readonly missing: readonly Row[];
}

/** Rows in dollars: closes by the close of the dollar on the same day, bars of minutes as {@link dollarsAt}. */
export function rowsInDollars<Row extends HistoryRow | IntradayRow>(
  rows: readonly Row[],
  ofDollar: readonly Row[],
  barsOf: (rows: readonly Row[]) => readonly Bar[],
): Converted<Row> {
  const conversion = ofDollar[0]?.especie ?? '';
  const prices = dollarsAt(barsOf(rows), barsOf(ofDollar));
  const missing = rows.filter((_, at) => prices[at] === undefined);
  const converted = rows.flatMap((row, at) => {
    const dolar = prices[at];
    if (dolar === undefined) return [];
    const { ultimo, apertura, maximo, minimo } = row;
    return {
      ...row,
      ultimo: ultimo / dolar,
      ...(apertura === undefined ? {} : { apertura: apertura / dolar }),
      ...(maximo === undefined ? {} : { maximo: maximo / dolar }),
      ...(minimo === undefined ? {} : { minimo: minimo / dolar }),
      conversion,
      dolar,
    };
  });
  return { rows: converted, missing };
}

/**
 * For each bar the latest price of the dollar in the same session, at the bar or before it. Undefined without one
 * above zero. Both are in ascending order.
 */
export function dollarsAt(
  bars: readonly Pick<Bar, 'time' | 'day'>[],
  ofDollar: readonly Bar[],
): readonly (number | undefined)[] {
  let next = 0;
  return bars.map(({ time, day }) => {
    for (let bar = ofDollar[next]; bar !== undefined && bar.time <= time; bar = ofDollar[next]) {
      next += 1;
    }
    const latest = ofDollar[next - 1];
    return latest?.day === day && latest.close > 0 ? latest.close : undefined;
  });
}
