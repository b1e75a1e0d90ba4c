import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import styles from '../../styles/tables.css?inline';
import { addStyles } from '../screen/add-styles.ts';

addStyles(styles);

/** A column of a table that sorts. */
export interface SortedColumn<Row> {
  readonly title: string;
  readonly meaning?: string;
  /** The value by which the rows are sorted. Rows without one are last in both directions. */
  readonly value: (row: Row) => number | string | null | undefined;
  /** The `td` of a row, or its `th`. */
  readonly cell: (row: Row) => JSX.Element;
}

/**
 * A table in a frame that scrolls, whose headers sort: the largest value or the first text first, then the reverse,
 * then the order of the rows as they are given.
 */
export function SortedTable<Row>({
  label,
  columns,
  rows,
  nameOf,
}: {
  /** The name of the frame for screen readers. */
  readonly label: string;
  readonly columns: readonly SortedColumn<Row>[];
  readonly rows: readonly Row[];
  /** The name of a row, unique in the table. */
  readonly nameOf: (row: Row) => string;
}) {
  const sorting = useSignal<{ readonly at: number; readonly isReverse: boolean } | undefined>(
    undefined,
  );
  const { value: chosen } = sorting;
  const by = chosen === undefined ? undefined : columns[chosen.at];
  const shown =
    by === undefined || chosen === undefined
      ? rows
      : rows.toSorted((a, b) => compare(by.value(a), by.value(b), chosen.isReverse));
  return (
    <div class="table-frame panel sorted-frame" tabIndex={0} role="region" aria-label={label}>
      <table class="statistics">
        <thead>
          <tr>
            {columns.map(({ title, meaning }, at) => {
              const isBy = chosen?.at === at;
              const isText = at === 0;
              const way = isText === chosen?.isReverse ? 'descending' : 'ascending';
              return (
                <th key={title} scope="col" aria-sort={isBy ? way : undefined}>
                  <button
                    type="button"
                    title={meaning === undefined ? 'Ordenar' : `${meaning}. Ordenar`}
                    onClick={() => {
                      if (!isBy) sorting.value = { at, isReverse: false };
                      else sorting.value = chosen.isReverse ? undefined : { at, isReverse: true };
                    }}
                  >
                    {isBy && <span class={`sort-mark ${way}`} aria-hidden="true" />}
                    {title}
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={nameOf(row)} data-row={nameOf(row)}>
              {columns.map(({ title, cell }) => ({ ...cell(row), key: title }))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Value = number | string | null | undefined;

function compare(left: Value, right: Value, isReverse: boolean): number {
  const [hasLeft, hasRight] = [left ?? undefined, right ?? undefined];
  if (hasLeft === undefined || hasRight === undefined) {
    return Number(hasLeft === undefined) - Number(hasRight === undefined);
  }
  const order =
    typeof hasLeft === 'string'
      ? hasLeft.localeCompare(String(hasRight), 'es')
      : Number(hasRight) - hasLeft;
  return isReverse ? -order : order;
}
