import { allColumns } from '../../market/columns.ts';
import { setSorting, sorting } from '../state/board-state.ts';
import type { Sorting } from '../../market/sort-rows.ts';

/** The orders that a grid without headings offers. */
const orders: readonly { readonly name: string; readonly sorting: Sorting | undefined }[] = [
  { name: 'Especie', sorting: { field: 'especie', isDescending: false } },
  { name: 'Mayores subas', sorting: { field: 'variacion', isDescending: true } },
  { name: 'Mayores bajas', sorting: { field: 'variacion', isDescending: false } },
  { name: 'Mayor volumen', sorting: { field: 'volumen', isDescending: true } },
];

/** Selects the order of the charts. It is that of the table, which has more of them. */
export function OrderChoice({ isList }: { readonly isList: boolean }) {
  const { value: current } = sorting;
  const own = { name: isList ? 'De la lista' : 'Del panel', sorting: undefined };
  const offered = [own, ...orders];
  const isOffered = offered.some((order) => idOf(order.sorting) === idOf(current));
  const all = isOffered ? offered : [...offered, { name: nameOf(current), sorting: current }];
  return (
    <label class="order-choice">
      <span class="muted">Orden</span>
      <select
        class="input"
        value={idOf(current)}
        onChange={({ currentTarget: { value } }) =>
          setSorting(all.find((order) => idOf(order.sorting) === value)?.sorting)
        }
      >
        {all.map((order) => (
          <option key={order.name} value={idOf(order.sorting)}>
            {order.name}
          </option>
        ))}
      </select>
    </label>
  );
}

function idOf(order: Sorting | undefined): string {
  return order === undefined ? '' : `${order.isDescending ? '-' : ''}${order.field}`;
}

/** The name of an order that was chosen in the table. */
function nameOf(order: Sorting | undefined): string {
  const title = allColumns.find(({ field }) => field === order?.field)?.title ?? '';
  return `${title}, ${order?.isDescending === true ? 'de mayor a menor' : 'de menor a mayor'}`;
}
