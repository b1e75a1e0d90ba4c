import type { ComponentChildren } from 'preact';
import styles from '../../styles/tables.css?inline';
import { addStyles } from '../screen/add-styles.ts';

addStyles(styles);

/** A column: its title, and what it has of a row. The first column has the names of the rows. */
export type Column<Row> = readonly [title: string, cellOf: (row: Row) => ComponentChildren];

interface Values<Row> {
  /** What the table says of its rows, for screen readers. */
  readonly caption?: string;
  /** Each has another title. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** The name of a row that may change its place, unique in the table. */
  readonly nameOf?: (row: Row) => string;
  readonly classOf?: (row: Row) => string;
  /** The heading of a row and of the others that have the same one. */
  readonly headingOf?: (row: Row) => string;
}

/** A cell with a note below its text, if there is something to note. */
export function Noted({
  text,
  note,
}: {
  readonly text: ComponentChildren;
  readonly note: ComponentChildren;
}) {
  return (
    <>
      {text}
      {note && <span class="figure-note">{note}</span>}
    </>
  );
}

/** A table of values in a frame that scrolls, with the keyboard too. */
export function FramedTable<Row>({
  label,
  frameClass,
  ...values
}: Values<Row> & {
  /** The name of the frame for screen readers. */
  readonly label: string;
  readonly frameClass: string;
}) {
  return (
    <div class={`table-frame panel ${frameClass}`} tabIndex={0} role="region" aria-label={label}>
      <ValueTable {...values} />
    </div>
  );
}

/** The data of a drawing, for screen readers. What it contains cannot be focused, because it is not seen. */
export function HiddenTable<Row>(values: Values<Row> & { readonly caption: string }) {
  return (
    <div class="visually-hidden drawn-values">
      <ValueTable {...values} />
    </div>
  );
}

function ValueTable<Row>({ caption, columns, rows, nameOf, classOf, headingOf }: Values<Row>) {
  const groups = [...Map.groupBy(rows, (row) => headingOf?.(row))];
  return (
    <table class="statistics">
      {caption !== undefined && <caption class="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(([title]) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map(([heading, members]) => [
          heading !== undefined && (
            <tr key={heading}>
              <th class="table-heading" colSpan={columns.length} scope="rowgroup">
                {heading}
              </th>
            </tr>
          ),
          members.map((row, at) => (
            <tr key={nameOf?.(row) ?? at} class={classOf?.(row)}>
              {columns.map(([title, cellOf], column) =>
                column === 0 ? (
                  <th key={title} scope="row">
                    {cellOf(row)}
                  </th>
                ) : (
                  <td key={title}>{cellOf(row)}</td>
                ),
              )}
            </tr>
          )),
        ])}
      </tbody>
    </table>
  );
}
