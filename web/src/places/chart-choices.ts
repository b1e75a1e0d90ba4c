/** The dollars in which a chart can show prices in pesos. */
export const dollarCodes = ['mep', 'ccl', 'oficial'] as const;
export type DollarCode = (typeof dollarCodes)[number];

/** The currency of a chart: that of each instrument, or a dollar. */
export const currencyCodes = ['original', ...dollarCodes] as const;
export type CurrencyCode = (typeof currencyCodes)[number];

/** How compared instruments are shown: as changes or as quotients. */
export const modeCodes = ['variacion', 'cociente'] as const;
export type ModeCode = (typeof modeCodes)[number];

/** The kinds of moving averages. */
export const averageKinds = ['simple', 'exponencial'] as const;

/** A moving average of a chart. */
export interface AverageChoice {
  readonly kind: (typeof averageKinds)[number];
  /** The number of bars of its window. */
  readonly periods: number;
}

/** The other indicators of a chart, with the usual periods: Bollinger bands, RSI and MACD. */
export const indicatorCodes = ['bollinger', 'rsi', 'macd'] as const;
export type IndicatorCode = (typeof indicatorCodes)[number];

/** Maximum number of averages of a chart. */
export const averagesMax = 3;
/** The limits of the window of an average. */
export const periodsMin = 2;
export const periodsMax = 400;

/** The identifier of an average, in addresses: `simple-20`. */
export function averageCode({ kind, periods }: AverageChoice): string {
  return `${kind}-${periods}`;
}

/** Whether a number can be the window of an average. */
export function isPeriods(value: number): boolean {
  return Number.isInteger(value) && value >= periodsMin && value <= periodsMax;
}

/** The averages of a text such as `simple-20,exponencial-50`, each once. Others are left out. */
export function parseAverages(text: string): readonly AverageChoice[] {
  const known = text.split(',').flatMap((one): readonly AverageChoice[] => {
    const [, name, digits] = /^([a-z]+)-([1-9]\d*)$/.exec(one.trim()) ?? [];
    const kind = averageKinds.find((code) => code === name);
    const periods = Number(digits);
    return kind === undefined || !isPeriods(periods) ? [] : [{ kind, periods }];
  });
  return [...new Map(known.map((one) => [averageCode(one), one])).values()].slice(0, averagesMax);
}

/** The indicators of a text such as `rsi,macd`, in the order in which they are offered. */
export function parseIndicators(text: string): readonly IndicatorCode[] {
  const named = text.split(',');
  return indicatorCodes.filter((code) => named.includes(code));
}

/** The text that {@link parseAverages} reads. */
export function formatAverages(averages: readonly AverageChoice[]): string {
  return averages.map(averageCode).join(',');
}
