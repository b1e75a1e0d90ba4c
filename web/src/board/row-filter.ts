import type { Row } from '../market/live-quotes.ts';
import { allColumns, type SortField } from '../market/columns.ts';
import { parsePrice } from '../market/format/parse-price.ts';
import { instruments } from '../market/instruments.ts';
import { foldForSearch } from '../../../src/domain/instruments/instrument-search.ts';
import { sortValue, type FindFacts } from '../market/sort-rows.ts';

/** A column with values that can be compared. */
type ComparedField = Exclude<SortField, 'especie'>;

/** A condition on a number of a row. */
interface Condition {
  readonly field: ComparedField;
  readonly isMet: (value: number) => boolean;
}

/** What a filter asks of the rows of a board. */
export interface RowFilter {
  /** What the ticker or the name contains. */
  readonly words: string;
  readonly conditions: readonly Condition[];
}

/** A number as in Argentina, with a sign and a unit: `−1,5 %`, `20 M`. */
const number = String.raw`([-−]?[\d.,]+)\s*(%|k|mm?|pts)?(?![\p{L}\d])`;
const comparison = new RegExp(String.raw`([\p{L}. ]*\p{L}\.?)\s*(>=|<=|>|<)\s*${number}`, 'giu');
const between = new RegExp(
  String.raw`([\p{L}. ]*\p{L}\.?)\s+entre\s+${number}\s+y\s+${number}`,
  'giu',
);

const factors: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, mm: 1e6 };

const comparisons: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '>': (value, limit) => value > limit,
  '<': (value, limit) => value < limit,
  '>=': (value, limit) => value >= limit,
  '<=': (value, limit) => value <= limit,
};

/**
 * The filter of a text. Comparisons name a column by its title, such as `variación > 2`, `monto > 20 M` or
 * `TIR entre 5 y 8`. The rest is looked for in tickers and names. What names no column is part of the rest.
 */
export function parseFilter(text: string): RowFilter {
  const conditions: Condition[] = [];
  const take = (whole: string, name: string, isMet: (value: number) => boolean) => {
    // A name may have several words, and others before it.
    const words = name.trim().split(/\s+/);
    for (const at of words.keys()) {
      const field = fieldNamed(words.slice(at).join(' '));
      if (field === undefined) continue;
      conditions.push({ field, isMet });
      return `${words.slice(0, at).join(' ')} `;
    }
    return whole;
  };
  const rest = text
    .replaceAll(between, (whole: string, name: string, a = '', unitA = '', b = '', unitB = '') => {
      const [low, high] = [numberOf(a, unitA), numberOf(b, unitB)];
      return take(whole, name, (value) => value >= low && value <= high);
    })
    .replaceAll(comparison, (whole: string, name: string, sign: string, digits = '', unit = '') => {
      const limit = numberOf(digits, unit);
      return take(whole, name, (value) => comparisons[sign]?.(value, limit) === true);
    });
  return { words: foldForSearch(rest), conditions };
}

/** The fields that a filter compares. */
export function filterFields(text: string): readonly ComparedField[] {
  return parseFilter(text).conditions.map(({ field }) => field);
}

/** Whether a row is what a filter asks for. A row without a value that is compared is not. */
export function matches(row: Row, { words, conditions }: RowFilter, factsOf: FindFacts): boolean {
  const name = instruments.value.get(row.ticker)?.nombre ?? '';
  if (words !== '' && !foldForSearch(`${row.ticker} ${name}`).includes(words)) return false;
  return conditions.every(({ field, isMet }) => {
    const value = sortValue(row, field, factsOf);
    return typeof value === 'number' && isMet(value);
  });
}

/** The column whose title begins with a name. */
function fieldNamed(name: string): ComparedField | undefined {
  const wanted = foldForSearch(name);
  const found = allColumns.find(
    ({ field, title }) =>
      foldForSearch(title).startsWith(wanted) || foldForSearch(field) === wanted,
  );
  return found === undefined || found.field === 'rueda' ? undefined : found.field;
}

function numberOf(digits: string, unit: string): number {
  const size = parsePrice(digits.replace(/^[-−]/, '')) ?? NaN;
  return (/^[-−]/.test(digits) ? -size : size) * (factors[unit.toLowerCase()] ?? 1);
}
