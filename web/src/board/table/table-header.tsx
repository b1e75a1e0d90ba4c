import type { Column } from '../../market/columns.ts';
import { conventionNote } from '../../market/facts/conventions.ts';
import { nextSorting, type SortField } from '../../market/sort-rows.ts';
import { convention, setSorting, sorting } from '../state/board-state.ts';

/** The headers, which sort. */
export function TableHeader({ columns }: { readonly columns: readonly Column[] }) {
  const note = conventionNote(convention.value);
  return (
    <thead role="rowgroup">
      <tr role="row">
        <HeaderCell field="especie" title="Especie" meaning="Especie" />
        {columns.map(({ field, title, meaning, isByConvention }) => (
          <HeaderCell
            key={field}
            field={field}
            title={title}
            meaning={isByConvention === true ? `${meaning}, ${note}` : meaning}
          />
        ))}
      </tr>
    </thead>
  );
}

function HeaderCell({
  field,
  title,
  meaning,
}: Pick<Column, 'title' | 'meaning'> & {
  readonly field: SortField | 'rueda';
}) {
  const by = sorting.value?.field === field ? sorting.value : undefined;
  const way = by === undefined ? undefined : by.isDescending ? 'descending' : 'ascending';
  return (
    <th role="columnheader" scope="col" class={`col-${field}`} aria-sort={way}>
      {field === 'rueda' ? (
        <span class="column-title" title={meaning}>
          {title}
        </span>
      ) : (
        <button
          type="button"
          title={`${meaning}. Ordenar`}
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
