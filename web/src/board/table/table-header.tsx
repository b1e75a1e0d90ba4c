import type { Signal } from '@preact/signals';
import { useRef } from 'preact/hooks';

import type { Column, ColumnField } from '../../market/columns.ts';
import { placeAt, useDragOrder } from '../../ui/order/use-drag-order.ts';
import { moveAmong } from '../columns/move-among.ts';
import { convention } from '../state/board-state.ts';
import { conventionNote } from '../../market/facts/conventions.ts';
import { chooseFields, chosenFields } from '../state/chosen-columns.ts';
import { HeaderCell } from './header-cell.tsx';

/** The headers. They sort, and move columns: with the pointer, or with Alt and an arrow key. */
export function TableHeader({
  columns,
  news,
}: {
  readonly columns: readonly Column[];
  /** Receives what a screen reader says of a moved column. */
  readonly news: Signal<string>;
}) {
  const head = useRef<HTMLTableSectionElement>(null);
  const isDragged = useRef(false);
  const note = conventionNote(convention.value);
  const fields = columns.map(({ field }) => field);
  const apply = (next: readonly ColumnField[], moved: ColumnField) => {
    if (next === chosenFields.value) return;
    chooseFields(next);
    const shown = next.filter((field) => fields.includes(field));
    const title = columns.find(({ field }) => field === moved)?.title ?? '';
    news.value = `${title}: columna ${shown.indexOf(moved) + 1} de ${shown.length}`;
  };
  const startDrag = useDragOrder((item, target) => {
    isDragged.current = true;
    const chosen = chosenFields.value;
    const [moved, over] = [item, target].map((one) => chosen.find((field) => field === one));
    if (moved !== undefined && over !== undefined) apply(placeAt(chosen, moved, over), moved);
  });
  const onPointerDown = (event: PointerEvent) => {
    isDragged.current = false;
    const item = itemAt(event.target);
    // A finger scrolls the table. The dialog of the columns has handles for it.
    if (item !== undefined && event.pointerType !== 'touch') startDrag(item)(event);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
    const item = itemAt(event.target);
    const moved = fields.find((field) => field === item);
    if (!event.altKey || by === undefined || moved === undefined) return;
    // Some browsers go back in their history with these keys.
    event.preventDefault();
    apply(moveAmong(chosenFields.value, fields, moved, by), moved);
    // The header may lose the focus when the browser moves it.
    requestAnimationFrame(() => {
      head.current?.querySelector<HTMLElement>(`[data-ordered="${moved}"] > *`)?.focus();
    });
  };
  return (
    <thead role="rowgroup" ref={head}>
      <tr
        role="row"
        onKeyDown={onKeyDown}
        onPointerDown={onPointerDown}
        onClickCapture={(event) => {
          // The release of a dragged header is a click too, which would sort.
          if (isDragged.current) event.stopPropagation();
        }}
      >
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

/** The field of the header that an element is in. */
function itemAt(target: EventTarget | null): string | undefined {
  if (!(target instanceof Element)) return undefined;
  return target.closest('[data-ordered]')?.getAttribute('data-ordered') ?? undefined;
}
