import { decimalText } from './decimal-text.ts';
import type { InstrumentInfo } from '../api/quote.ts';

/** The text for a missing value. */
export const absent = '–';

/**
 * Formats a price as is usual in Argentina: `91.250,50`. A price has two decimals, below a hundred
 * up to four, and below one as many as necessary, so that no price is shown as zero.
 *
 * @param decimals the minimum number of decimals, so that all prices of a row have the same number. With 0, the
 *   price is rounded to a whole number.
 */
export function formatPrice(value: number | undefined, decimals = 2): string {
  if (value === undefined) return absent;
  const most = decimals === 0 ? 0 : Math.max(decimals, decimalsMax(value));
  return decimalText(value, { least: decimals, most });
}

/** A price of at least this size, as that of an index, has no decimals. */
const wholeMin = 1e6;

/** The number of decimals with which all of the prices can be shown, at least two below {@link wholeMin}. */
export function priceDecimals(values: readonly (number | undefined)[]): number {
  const known = values.filter((value) => value !== undefined);
  if (known.length > 0 && known.every((value) => Math.abs(value) >= wholeMin)) return 0;
  return Math.max(
    2,
    ...values.map((value) => {
      if (value === undefined) return 0;
      const most = Math.max(serviceDecimalsMax, decimalsMax(value));
      return decimalsIn(decimalText(value, { least: 0, most }));
    }),
  );
}

/** The number of decimals of a formatted number. */
export function decimalsIn(text: string): number {
  return text.split(',')[1]?.length ?? 0;
}

/** The most decimals that a kind of instrument has. The service rounds to those of the instrument (contract 2.1.7). */
const serviceDecimalsMax = 8;

function decimalsMax(value: number): number {
  const size = Math.abs(value);
  if (size >= 100 || size === 0) return 2;
  if (size >= 1) return 4;
  return Math.min(12, 3 - Math.floor(Math.log10(size)));
}

/** Formats a value that is rebased to 100 as the change from its base: `−18,51 %`. */
export function formatRebased(value: number | undefined): string {
  return formatChange(value === undefined ? undefined : value - 100, 'percent');
}

/** The unit of a change. */
export type ChangeUnit = 'percent' | 'points';

const unitSuffixes: Readonly<Record<ChangeUnit, string>> = {
  percent: '\u00a0%',
  points: '\u00a0pts',
};

/** Formats a change with its sign and, if known, its unit: `+1,37 %`, `−12,00 pts`. */
export function formatChange(
  value: number | null | undefined,
  unit: ChangeUnit | undefined,
): string {
  if (value === null || value === undefined) return absent;
  const text = decimalText(value, { least: 2, most: 2, hasPlus: true });
  return unit === undefined ? text : text + unitSuffixes[unit];
}

/** Formats a rate or a share, which has a sign only below zero: `7,75 %`. */
export function formatPercent(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  return formatFixed(value, 2) + unitSuffixes.percent;
}

/** Formats a number with a fixed number of decimals: `1,84`. */
export function formatFixed(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined) return absent;
  return decimalText(value, { least: decimals, most: decimals });
}

/** Formats a volume in whole units: `98.231.004`. A volume below one has decimals. */
export function formatVolume(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  return decimalText(value, { least: 0, most: Math.abs(value) < 1 ? 8 : 0 });
}

const minus = '\u2212';
/** It is made when it is first used, because that takes long. */
let compactFormat: Intl.NumberFormat | undefined;

/** Formats a large number briefly: `98,2 M`, `400 k`. */
export function formatCompact(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  compactFormat ??= new Intl.NumberFormat('es-AR', {
    maximumFractionDigits: 1,
    notation: 'compact',
    useGrouping: 'always',
  });
  // The locale writes thousands as `1 K` and as `10 k`.
  return compactFormat.format(value).replace('-', minus).replace('K', 'k');
}

/** Formats a day as is usual in Argentina: `20/11/2026`. */
export function formatDay(fecha: string): string {
  const [year, month, day] = fecha.split('-');
  return `${day}/${month}/${year}`;
}

/** Formats a time of a chart: a day, or the seconds of a minute in Buenos Aires read as UTC. */
export function formatChartTime(time: string | number): string {
  if (typeof time === 'string') return formatDay(time);
  const text = new Date(time * 1000).toISOString();
  return `${formatDay(text.slice(0, 10))} ${text.slice(11, 16)}`;
}

/** The unit of the prices of an instrument: `ARS`, `USD`, `%`, `puntos básicos`. Empty if unknown. */
export function unitNameOf(info: Pick<InstrumentInfo, 'moneda'> | undefined): string {
  return info?.moneda === 'bp' ? 'puntos básicos' : (info?.moneda ?? '');
}

/**
 * The CSS classes for the direction of a change. A change in points has an arrow and no colour: the rise of a rate, of
 * country risk or of a gap is good for one reader and bad for another.
 */
export function wayOf(value: number | null, unit?: ChangeUnit): string {
  if (value === null || value === 0) return '';
  const way = value > 0 ? 'up' : 'down';
  return unit === 'points' ? `${way} is-plain` : way;
}
