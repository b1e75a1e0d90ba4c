const locale = 'es-AR';
const minus = '\u2212';
const formats = new Map<string, Intl.NumberFormat>();

/** What stands where there is no value. */
export const absent = '–';

/**
 * A price as people here write it: `91.250,50`. Two decimals, up to four for a price below a hundred,
 * and as many as it takes below one, so that no price is shown as zero.
 *
 * @param decimals how many decimals to show at least, so that the prices of one row agree.
 */
export function formatPrice(value: number | undefined, decimals = 2): string {
  if (value === undefined) return absent;
  const most = Math.max(decimals, decimalsMax(value));
  return format(value, { minimumFractionDigits: decimals, maximumFractionDigits: most });
}

/** The decimals that prices need to be shown alike: those of the one that has the most. */
export function priceDecimals(values: readonly (number | undefined)[]): number {
  return Math.max(
    2,
    ...values.map((value) => {
      const text = formatPrice(value);
      const comma = text.indexOf(',');
      return comma === -1 ? 0 : text.length - comma - 1;
    }),
  );
}

function decimalsMax(value: number): number {
  const size = Math.abs(value);
  if (size >= 100 || size === 0) return 2;
  if (size >= 1) return 4;
  return Math.min(12, 3 - Math.floor(Math.log10(size)));
}

/** A value on a scale where 100 is the start: `81,49`. */
export function formatIndex(value: number | undefined): string {
  return value === undefined ? absent : format(value, { maximumFractionDigits: 2 });
}

/** What a change is counted in. */
export type ChangeUnit = 'percent' | 'points';

const unitSuffixes: Readonly<Record<ChangeUnit, string>> = {
  percent: '\u00a0%',
  points: '\u00a0pts',
};

/** A change with its sign and, where it is known, its unit: `+1,37 %`, `−12,00 pts`. */
export function formatChange(
  value: number | null | undefined,
  unit: ChangeUnit | undefined,
): string {
  if (value === null || value === undefined) return absent;
  const text = format(value, { maximumFractionDigits: 2, signDisplay: 'exceptZero' });
  return unit === undefined ? text : text + unitSuffixes[unit];
}

/** A volume in whole units: `98.231.004`. Fractions only where there is less than one. */
export function formatVolume(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  const maximumFractionDigits = Math.abs(value) < 1 ? 8 : 0;
  return format(value, { minimumFractionDigits: 0, maximumFractionDigits });
}

/** A large number in few characters: `98,2 M`. */
export function formatCompact(value: number | null | undefined): string {
  if (value === null || value === undefined) return absent;
  return format(value, {
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
    notation: 'compact',
  });
}

/** A day as people here write it: `20/11/2026`. */
export function formatDay(fecha: string): string {
  const [year, month, day] = fecha.split('-');
  return `${day}/${month}/${year}`;
}

function format(value: number, options: Intl.NumberFormatOptions): string {
  const id = JSON.stringify(options);
  let known = formats.get(id);
  if (known === undefined) {
    known = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, ...options });
    formats.set(id, known);
  }
  return known.format(value).replace('-', minus);
}
