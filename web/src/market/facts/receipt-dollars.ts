import type { DollarRow } from '../api/quote.ts';
import { formatChange } from '../format/numbers.ts';
import type { RowFacts } from './instrument-facts.ts';

/** The path of the dollars that all depositary receipts imply. */
export const receiptsPath = '/dolares?dolar=ccl';

/** The path of their median. */
export const medianPath = '/dolares?base=CEDEARS';

/** A name for each row of `/dolares`: a receipt whose classes imply a dollar too has another one for it. */
export function receiptName({ calculo, base }: DollarRow): string {
  return `${calculo} ${base}`;
}

/** The name of the row of a receipt. */
export function receiptKey(ticker: string): string {
  return `cedear ${ticker}`;
}

/** The name of the row of the median. */
export const medianKey = 'mediana CEDEARS';

/** By how many percent a dollar is above another one of its day. Undefined without one of them. */
export function percentOver(
  one: DollarRow | undefined,
  other: DollarRow | undefined,
): number | undefined {
  const [value, base] = [one?.ultimo ?? undefined, other?.ultimo ?? undefined];
  if (value === undefined || base === undefined || other?.fecha !== one?.fecha) return undefined;
  return (value / base - 1) * 100;
}

/** Why the service gives no dollar for a receipt (contract 4.12.3). */
export const withoutDollar =
  'El certificado no operó, su precio y el del subyacente no son del mismo día con los dos mercados abiertos, o difiere más de 10 % de la mediana';

/** The dollar that a receipt implies. Undefined if it is that of another day than the price. */
export function impliedDollar({ quote, dollar }: RowFacts): number | undefined {
  return quote === undefined || dollar?.fecha !== quote.fecha
    ? undefined
    : (dollar.ultimo ?? undefined);
}

/** By how much the dollar of a receipt is above the wholesale one, or why there is none. */
export function impliedHint(facts: RowFacts): string | undefined {
  const { quote, info, dollar } = facts;
  if (quote === undefined) return 'Sin cotización';
  if (info?.ratio === undefined || info.subyacente === undefined) {
    return 'No es un certificado con ratio y subyacente conocidos';
  }
  if (dollar === undefined) return undefined;
  if (dollar === null) return withoutDollar;
  if (impliedDollar(facts) === undefined)
    return 'Todavía no se calculó con el precio de esta rueda';
  const { brecha } = dollar;
  return brecha === null
    ? undefined
    : `Brecha con el mayorista: ${formatChange(brecha, 'percent')}`;
}
