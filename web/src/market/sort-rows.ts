import { columns, type SortField } from './columns.ts';
import type { RowFacts } from './facts/instrument-facts.ts';
import type { Row } from './live-quotes.ts';

/** Finds what is known of the instrument of a row. */
export type FindFacts = (ticker: string) => Omit<RowFacts, 'quote'>;

/** The field and the direction. Undefined means the order of the panel. */
export interface Sorting {
  readonly field: SortField;
  readonly isDescending: boolean;
}

/** It is made when a board is first sorted by a text, because that takes long. */
let collator: Intl.Collator | undefined;

/**
 * Sorts rows. Rows without a value are last in both directions. Equal rows keep their order.
 *
 * @param factsOf finds the values that are no fields of a quote.
 */
export function sortRows(
  rows: readonly Row[],
  sorting: Sorting | undefined,
  factsOf: FindFacts = () => ({ info: undefined }),
): readonly Row[] {
  if (sorting === undefined) return rows;
  const { field, isDescending } = sorting;
  const values = new Map(rows.map((row) => [row, sortValue(row, field, factsOf)]));
  return rows.toSorted((a, b) => {
    const [left, right] = [values.get(a), values.get(b)];
    if (left === undefined || right === undefined) {
      return Number(left === undefined) - Number(right === undefined);
    }
    const order =
      typeof left === 'string' ? compareTexts(left, String(right)) : left - Number(right);
    return isDescending ? -order : order;
  });
}

/**
 * The sorting after a click on a column: first the usual direction, then the reverse, then none.
 */
export function nextSorting(sorting: Sorting | undefined, field: SortField): Sorting | undefined {
  const isText = field === 'especie';
  if (sorting?.field !== field) return { field, isDescending: !isText };
  return sorting.isDescending === isText ? undefined : { field, isDescending: isText };
}

/** The value of a row in a column. Undefined if it is not known. */
export function sortValue(
  { ticker, quote }: Row,
  field: SortField,
  factsOf: FindFacts,
): string | number | undefined {
  if (field === 'especie') return ticker;
  return columns.get(field)?.value({ quote, ...factsOf(ticker) });
}

function compareTexts(left: string, right: string): number {
  collator ??= new Intl.Collator('es-AR', { numeric: true });
  return collator.compare(left, right);
}
