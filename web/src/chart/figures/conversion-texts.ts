import type { InstrumentInfo } from '../../market/api/quote.ts';
import { unitNameOf } from '../../market/format/numbers.ts';
import type { InstrumentPlace } from '../../places/route.ts';
import { dollars, isInPesos } from './conversion.ts';
import type { MissingDollars } from './shown-lines.ts';

/** What the user must know about the currencies of a chart, a sentence for each fact. */
export function conversionTexts(
  {
    ticker,
    compared,
    currency,
    mode,
  }: Pick<InstrumentPlace, 'ticker' | 'compared' | 'currency' | 'mode'>,
  {
    infos,
    missing,
    isIntraday,
    isServed,
  }: {
    readonly infos: ReadonlyMap<string, Pick<InstrumentInfo, 'moneda'>>;
    readonly missing: readonly MissingDollars[];
    readonly isIntraday: boolean;
    /** Whether the service has the instrument of the dollar. */
    readonly isServed: boolean;
  },
): readonly string[] {
  const tickers = [ticker, ...compared];
  const units = [...new Set(tickers.map((one) => unitNameOf(infos.get(one))))].filter(Boolean);
  if (currency === 'original') {
    if (units.length < 2 || mode !== 'variacion') return [];
    const known = units.join(', ');
    return [
      `Las especies tienen unidades distintas (${known}). El eje muestra la variación de cada una en su propia unidad, sin convertirla.`,
    ];
  }
  const pesos = tickers.filter((one) => isInPesos(infos.get(one)));
  const others = tickers.filter((one) => !pesos.includes(one) && infos.has(one));
  const kept = others.map((one) => keptText(one, unitNameOf(infos.get(one))));
  if (pesos.length === 0) return kept;
  const dollar = dollars[currency];
  if (!isServed) {
    return [`El servicio no tiene la especie ${dollar.ticker}. Elegir otra moneda.`, ...kept];
  }
  const which = currency === 'oficial' ? ', el minorista del Banco Nación' : '';
  const price = isIntraday ? 'el último precio de la rueda' : 'el cierre del mismo día';
  return [
    `Los precios en pesos están divididos por ${price} de ${dollar.ticker}${which}.`,
    ...missing.flatMap((one) => missingText(one, dollar.name, isIntraday) ?? []),
    ...kept,
  ];
}

function keptText(ticker: string, unit: string): string {
  return unit === 'USD'
    ? `${ticker} ya está en dólares: no se convierte.`
    : `${ticker} no se convierte: está en ${unit}.`;
}

function missingText(
  { ticker, days }: MissingDollars,
  dollar: string,
  isIntraday: boolean,
): string | undefined {
  const unit = isIntraday ? 'barra' : 'día';
  if (days.length === 0) return undefined;
  return days.length === 1
    ? `${ticker}, sin ${dollar}: 1 ${unit}, que no se muestra.`
    : `${ticker}, sin ${dollar}: ${days.length} ${unit}s, que no se muestran.`;
}
