/** The strip of a person: its instruments in order, and whether it is shown. */
export interface StripChoice {
  readonly tickers: readonly string[];
  readonly isShown: boolean;
}

/** Maximum number of instruments of a strip. */
export const stripMax = 30;

/** The strip of a new visitor: the market, the dollars, the country risk and Bitcoin. */
export const defaultStrip: StripChoice = {
  tickers: [
    'MERVAL',
    'DOLAR MEP',
    'DOLAR CCL',
    'DOLAR BLUE',
    'DOLAR OFICIAL',
    'RIESGO PAIS',
    'BTC',
  ],
  isShown: true,
};

/** The strip of a stored value. Undefined if it is none. */
export function readStrip(value: unknown): StripChoice | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { tickers, isShown } = value as Partial<Record<keyof StripChoice, unknown>>;
  if (!Array.isArray(tickers) || typeof isShown !== 'boolean') return undefined;
  if (!tickers.every((ticker) => typeof ticker === 'string')) return undefined;
  return { tickers: [...new Set(tickers)].slice(0, stripMax), isShown };
}

/** The short names of instruments that everybody calls so. The others have their tickers. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['DOLAR MEP', 'MEP'],
  ['DOLAR CCL', 'CCL'],
  ['DOLAR BLUE', 'Blue'],
  ['DOLAR OFICIAL', 'Oficial'],
  ['DOLAR MAYORISTA', 'Mayorista'],
  ['RIESGO PAIS', 'Riesgo país'],
]);

/** The name of an instrument in the strip. */
export function stripName(ticker: string): string {
  return shortNames.get(ticker) ?? ticker;
}

/** The day of a quote of an earlier session: without the year, if it is of this year. */
export function stripDay(fecha: string, today: string): string {
  const [year, month, day] = fecha.split('-');
  return fecha.slice(0, 4) === today.slice(0, 4) ? `${day}/${month}` : `${day}/${month}/${year}`;
}
