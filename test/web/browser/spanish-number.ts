/**
 * `−1.234,50`: a number as the page shows it, by a formatting of the tests' own. A number that is rounded to zero
 * has no sign. A tie is rounded away from zero by the decimals of the number, as 79,12 for 79.115, which `toFixed`
 * would round down.
 */
export function spanishNumber(value: number, decimals: number): string {
  const shown = Math.abs(value);
  const text = String(shown);
  const rounded = text.includes('e')
    ? shown
    : Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`);
  const [whole = '', part] = rounded.toFixed(decimals).split('.');
  const groups = whole.replaceAll(/\B(?=(\d{3})+$)/g, '.');
  const digits = part === undefined ? groups : `${groups},${part}`;
  return value < 0 && /[1-9]/.test(digits) ? `−${digits}` : digits;
}

/** `1,37`, `−12,00`: with two decimals. */
export function twoDecimals(value: number): string {
  return spanishNumber(value, 2);
}

/** `2,92 %`, or a dash. */
export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : `${twoDecimals(value)}\u00a0%`;
}

/** `+1,37`, `−12,00`, `0,00`: a change has its sign, unless it is rounded to zero. */
export function signed(value: number): string {
  const text = twoDecimals(value);
  return value > 0 && text !== '0,00' ? `+${text}` : text;
}
