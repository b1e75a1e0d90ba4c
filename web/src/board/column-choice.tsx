import { useSignal } from '@preact/signals';

import { moveItem } from '../market/lists/ticker-lists.ts';
import { Button } from '../ui/button.tsx';
import { Check } from '../ui/check.tsx';
import { GripIcon } from '../ui/icons.tsx';
import { MoveButtons } from '../ui/order/move-buttons.tsx';
import { placeAt, useDragOrder } from '../ui/order/use-drag-order.ts';
import { boardKind, chooseFields, chosenFields, showsAll, unfit } from './state/chosen-columns.ts';
import { defaultFields, type BoardKind } from '../market/stored-columns.ts';
import {
  allColumns,
  columns,
  bookFields,
  columnsOf,
  type Column,
  type ColumnField,
} from '../market/columns.ts';

const kindNames: Readonly<Record<BoardKind, string>> = {
  general: 'Valen para los paneles de acciones, los demás paneles y las listas.',
  bonos: 'Valen para el panel de bonos.',
  cedears: 'Valen para el panel de CEDEARs.',
};

/** The chosen columns in their order, then the others. Each change applies at once. */
export function ColumnChoice() {
  const chosen = chosenFields.value;
  const others = allColumns.filter(({ field }) => !chosen.includes(field));
  const withBook = [...chosen, ...bookFields.filter((field) => !chosen.includes(field))];
  const news = useSignal('');
  const apply = (next: readonly ColumnField[], moved: ColumnField) => {
    if (next === chosenFields.value) return;
    chooseFields(next);
    news.value = `${columns.get(moved)?.title}: lugar ${next.indexOf(moved) + 1} de ${next.length}`;
  };
  const startDrag = useDragOrder((item, target) => {
    const fields = chosenFields.value;
    const [moved, over] = [item, target].map((one) => fields.find((field) => field === one));
    if (moved !== undefined && over !== undefined) apply(placeAt(fields, moved, over), moved);
  });
  return (
    <>
      <p class="hint">
        {chosen.length} de {allColumns.length} columnas elegidas. {kindNames[boardKind.value]}
      </p>
      <ul class="choice-list" aria-label="Columnas de la tabla">
        {[...columnsOf(chosen), ...others].map((column) => (
          <ColumnLine
            key={column.field}
            column={column}
            chosen={chosen}
            onGrip={startDrag(column.field)}
            onMove={(by) => apply(moveItem(chosen, column.field, by), column.field)}
          />
        ))}
      </ul>
      <p class="visually-hidden" role="status">
        {news}
      </p>
      <Check checked={showsAll.value} onCheck={(isChecked) => (showsAll.value = isChecked)}>
        Mostrar también las que no entran; la tabla se desplaza hacia el costado
      </Check>
      <div class="row whole">
        <Button look="small" onClick={() => chooseFields(withBook)}>
          Agregar puntas
        </Button>
        <Button look="small" onClick={() => chooseFields(defaultFields[boardKind.value])}>
          Restablecer
        </Button>
      </div>
    </>
  );
}

function ColumnLine({
  column: { field, title, meaning },
  chosen,
  onGrip,
  onMove,
}: {
  readonly column: Column;
  readonly chosen: readonly ColumnField[];
  readonly onGrip: (event: PointerEvent) => void;
  readonly onMove: (by: 1 | -1) => void;
}) {
  const at = chosen.indexOf(field);
  const isChosen = at !== -1;
  const isLeftOut = isChosen && unfit.value.includes(field);
  return (
    <li {...(isChosen ? { 'data-ordered': field } : {})}>
      {isChosen && (
        <span class="drag-handle" aria-hidden="true" onPointerDown={onGrip}>
          <GripIcon />
        </span>
      )}
      <Check
        checked={isChosen}
        onCheck={() =>
          chooseFields(isChosen ? chosen.filter((one) => one !== field) : [...chosen, field])
        }
      >
        {title} <span class="hint">{meaning}</span>
        {isLeftOut && <span class="figure-note">No entra en este ancho</span>}
      </Check>
      {isChosen && <MoveButtons name={title} at={at} count={chosen.length} onMove={onMove} />}
    </li>
  );
}
