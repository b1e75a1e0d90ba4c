import type { ComponentChildren } from 'preact';

/** A table of values in a frame that scrolls, with the keyboard too. */
export function FramedTable({
  label,
  frameClass,
  caption,
  titles,
  children,
}: {
  /** The name of the frame for screen readers. */
  readonly label: string;
  readonly frameClass: string;
  /** What the table says of its rows, for screen readers. */
  readonly caption?: string;
  /** The titles of the columns, each another one. */
  readonly titles: readonly string[];
  /** The rows. */
  readonly children: ComponentChildren;
}) {
  return (
    <div class={`table-frame ${frameClass}`} tabIndex={0} role="region" aria-label={label}>
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
    </div>
  );
}
