import type { ComponentChildren } from 'preact';
import styles from '../../styles/tables.css?inline';
import { addStyles } from '../screen/add-styles.ts';

addStyles(styles);

interface Values {
  /** What the table says of its rows, for screen readers. */
  readonly caption?: string;
  /** The titles of the columns, each another one. */
  readonly titles: readonly string[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table of values in a frame that scrolls, with the keyboard too. */
export function FramedTable({
  label,
  frameClass,
  ...values
}: Values & {
  /** The name of the frame for screen readers. */
  readonly label: string;
  readonly frameClass: string;
}) {
  return (
    <div class={`table-frame ${frameClass}`} tabIndex={0} role="region" aria-label={label}>
      <ValueTable {...values} />
    </div>
  );
}

/** The data of a drawing, for screen readers. What it contains cannot be focused, because it is not seen. */
export function HiddenTable(values: Values & { readonly caption: string }) {
  return (
    <div class="visually-hidden drawn-values">
      <ValueTable {...values} />
    </div>
  );
}

function ValueTable({ caption, titles, children }: Values) {
  return (
    <table class="statistics">
      {caption !== undefined && <caption class="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
