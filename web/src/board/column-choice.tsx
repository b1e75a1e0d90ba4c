import { moveItem } from '../market/lists/ticker-lists.ts';
import { DownIcon, UpIcon } from '../ui/icons.tsx';
import { chosenFields } from './state/chosen-columns.ts';
import { allColumns, bookFields, columnsOf, defaultFields } from '../market/columns.ts';
import type { Column, ColumnField } from '../market/columns.ts';

/** The chosen columns in their order, then the others. Each change applies at once. */
export function ColumnChoice() {
  const chosen = chosenFields.value;
  const others = allColumns.filter(({ field }) => !chosen.includes(field));
  const withBook = [...chosen, ...bookFields.filter((field) => !chosen.includes(field))];
  return (
    <>
      <ul class="choice-list" aria-label="Columnas de la tabla">
        {[...columnsOf(chosen), ...others].map((column) => (
          <ColumnLine key={column.field} column={column} chosen={chosen} />
        ))}
      </ul>
      <div class="field-row">
        <button type="button" class="button button-small" onClick={() => choose(withBook)}>
          Agregar puntas
        </button>
        <button type="button" class="button button-small" onClick={() => choose(defaultFields)}>
          Restablecer
        </button>
      </div>
    </>
  );
}

function ColumnLine({
  column: { field, title, meaning },
  chosen,
}: {
  readonly column: Column;
  readonly chosen: readonly ColumnField[];
}) {
  const at = chosen.indexOf(field);
  return (
    <li>
      <label class="check">
        <input
          type="checkbox"
          checked={at !== -1}
          onChange={() =>
            choose(at === -1 ? [...chosen, field] : chosen.filter((one) => one !== field))
          }
        />
        <span>
          {title} <span class="hint">{meaning}</span>
        </span>
      </label>
      {at !== -1 && (
        <span class="choice-moves">
          <button
            type="button"
            class="icon-button"
            aria-label={`Mover ${title} antes`}
            disabled={at === 0}
            onClick={() => choose(moveItem(chosen, field, -1))}
          >
            <UpIcon />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={`Mover ${title} después`}
            disabled={at === chosen.length - 1}
            onClick={() => choose(moveItem(chosen, field, 1))}
          >
            <DownIcon />
          </button>
        </span>
      )}
    </li>
  );
}

function choose(fields: readonly ColumnField[]): void {
  chosenFields.value = fields;
}
