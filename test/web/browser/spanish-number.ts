/**
 * `−1.234,50`: a number as the page shows it, by a formatting of the tests' own. A tie is rounded away from zero
 * by the decimals of the number, as 79,12 for 79.115, which `toFixed` would round down.
 */
export function spanishNumber(value: number, decimals: number): string {
  const shown = Math.abs(value);
  const text = String(shown);
  const rounded = text.includes('e')
    ? shown
    : Number(`${Math.round(Number(`${text}e${decimals}`))}e-${decimals}`);
  const [whole = '', part] = rounded.toFixed(decimals).split('.');
  const groups = whole.replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return (value < 0 ? '−' : '') + (part === undefined ? groups : `${groups},${part}`);
}

/** `1,37`, `−12,00`: with two decimals, and no sign if they are zero. */
export function twoDecimals(value: number): string {
  const text = spanishNumber(value, 2);
  return text === '−0,00' ? '0,00' : text;
}
