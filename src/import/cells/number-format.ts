/** The decimal sign. The other of the two signs, where it occurs, separates thousands. */
export type Decimal = '.' | ',';

const plainDecimal = /^-?\d+(?:\.\d+)?$/;
// A group of thousands does not begin with 0: `0.012` is 12 thousandths and never 12.
const withPoint = /^[-+]?(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)?(?:\.\d*)?(?:e[-+]?\d+)?$/i;
const withComma = /^[-+]?(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)?(?:,\d*)?$/;
/**
 * An apostrophe of any form before a group of thousands, as Switzerland writes them, or before the whole
 * cell, as spreadsheets mark a text.
 */
const apostrophe = /(?:^\s*'|(?<=\d)['`\u00b4\u2018\u2019\u02bc](?=\d{3}(?!\d)))/g;
const currency = /^(?:u\$[sd]|us\$|ar\$|[a-z]{3}\s|[$€£])\s*/i;
const exponents: Readonly<Record<string, number>> = { K: 3, M: 6, B: 9 };

/**
 * Parses a number. Returns `NaN` for a cell without one: a word such as `N/A`, an empty cell, or a
 * number with the other decimal sign. A currency sign before the number and white space are
 * ignored.
 */
export function parseNumber(cell: string, decimal: Decimal): number {
  // Nearly every cell is a plain decimal, which needs none of the replacements below.
  if (decimal === '.' && plainDecimal.test(cell)) return finiteOrNaN(Number(cell));
  return finiteOrNaN(Number(plainNumber(cell, decimal)));
}

/** Whether a cell is a number with one of the decimal signs. */
export function isNumber(cell: string): boolean {
  return !Number.isNaN(parseNumber(cell, '.')) || !Number.isNaN(parseNumber(cell, ','));
}

/**
 * As {@link parseNumber}, and also `12.5K`, `3M` and `1.2B`, as some sites write volumes. The letter
 * becomes a decimal exponent: a binary product of 132.36 and 1e6 is not 132360000.
 */
export function parseVolume(cell: string, decimal: Decimal): number {
  const exponent = exponents[cell.trim().slice(-1).toUpperCase()];
  if (exponent === undefined) return parseNumber(cell, decimal);
  return finiteOrNaN(Number(`${plainNumber(cell.trim().slice(0, -1), decimal)}e${exponent}`));
}

/** A number as `Number` reads it. `NaN` for a cell without one. */
function plainNumber(cell: string, decimal: Decimal): string {
  const text = stripped(cell);
  if (!/\d/.test(text)) return 'NaN';
  if (!(decimal === '.' ? withPoint : withComma).test(text)) return 'NaN';
  return decimal === '.' ? text.replaceAll(',', '') : decimalPoint(text);
}

/** As {@link parseNumber}, for a rate in percent, which may be written with its sign: `70,5 %`. */
export function parsePercent(cell: string, decimal: Decimal): number {
  return parseNumber(withoutPercent(cell), decimal);
}

function withoutPercent(cell: string): string {
  return cell.replace(/\s*%\s*$/, '');
}

/** The decimal sign found in a sample of cells. */
type DecimalFinding =
  | { readonly type: 'found'; readonly decimal: Decimal }
  /** All cells are numbers with either sign, and this one differs between them: `1.234`. */
  | { readonly type: 'ambiguous'; readonly cell: string };

/**
 * Finds the decimal sign with which most cells are numbers. Cells that are the same number with
 * either sign (integers) do not count. Without any other cells, it is the point.
 */
export function findDecimal(cells: Iterable<string>): DecimalFinding {
  let balance = 0;
  let unclear: string | undefined;
  for (const written of cells) {
    const cell = withoutPercent(written);
    const point = parseNumber(cell, '.');
    const comma = parseNumber(cell, ',');
    if (Number.isNaN(point) !== Number.isNaN(comma)) balance += Number.isNaN(comma) ? 1 : -1;
    else if (point !== comma && !Number.isNaN(point)) unclear ??= cell.trim();
  }
  if (balance > 0) return { type: 'found', decimal: '.' };
  if (balance < 0) return { type: 'found', decimal: ',' };
  return unclear === undefined
    ? { type: 'found', decimal: '.' }
    : { type: 'ambiguous', cell: unclear };
}

function decimalPoint(text: string): string {
  return text.replaceAll('.', '').replace(',', '.');
}

/** A pattern accepts any number of digits, which `Number` may turn into infinity. */
function finiteOrNaN(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

function stripped(cell: string): string {
  const text = cell.replaceAll(/[\s\u00a0\u202f]+/g, ' ').trim();
  const sign = text.startsWith('-') ? '-' : '';
  return (
    sign +
    text.slice(sign.length).replace(currency, '').replaceAll(' ', '').replaceAll(apostrophe, '')
  );
}
