import type { Column } from '../../market/columns.ts';
import { nextSorting, type SortField } from '../../market/sort-rows.ts';
import { setSorting, sorting } from '../state/board-state.ts';

/** The header of a column, which sorts by it. */
export function HeaderCell({
  field,
  title,
  meaning,
}: Pick<Column, 'title' | 'meaning'> & {
  readonly field: SortField | 'rueda';
}) {
  const by = sorting.value?.field === field ? sorting.value : undefined;
  const way = by === undefined ? undefined : by.isDescending ? 'descending' : 'ascending';
  const isMovable = field !== 'especie';
  return (
    <th
      role="columnheader"
      scope="col"
      class={`col-${field}`}
      aria-sort={way}
      {...(isMovable ? { 'data-ordered': field } : {})}
    >
      {field === 'rueda' ? (
        <span class="column-title" tabIndex={0} title={`${meaning}. ${moveHint}`}>
          {title}
        </span>
      ) : (
        <button
          type="button"
          title={`${meaning}. Ordenar${isMovable ? `. ${moveHint}` : ''}`}
          onClick={() => {
            setSorting(nextSorting(sorting.value, field));
          }}
        >
          {way !== undefined && <span class={`sort-mark ${way}`} aria-hidden="true" />}
          {title}
        </button>
      )}
    </th>
  );
}

const moveHint = 'Arrastrar, o Alt con las flechas, para moverla';
