import type { ColumnField } from '../market/columns.ts';
import type { FindFacts } from '../market/sort-rows.ts';
import { ExportButton } from '../ui/export-dialog.tsx';
import { convention, currency } from './state/board-state.ts';
import { exportTable } from './export-rows.ts';
import type { ViewProps } from './state/view-props.ts';

/** Exports what the board shows. */
export function ExportBoard({
  name,
  live,
  shown,
  columns,
  factsOf,
}: Pick<ViewProps, 'name' | 'live' | 'shown'> & {
  /** The visible columns. */
  readonly columns: readonly ColumnField[];
  readonly factsOf: FindFacts;
}) {
  const { length } = shown.value;
  return (
    <ExportButton
      title="Exportar"
      name={name}
      hint={`Se exportan las ${length} filas que se ven, en su orden y con las columnas elegidas. ${currency.value === 'original' ? 'Los números no se redondean.' : 'Los precios en dólares están redondeados.'}`}
      isEmpty={length === 0}
      tableOf={() =>
        exportTable(live.rows(shown.value), columns, {
          factsOf,
          convention: convention.peek(),
          dollar: live.source?.dollar,
        })
      }
    >
      <span class="visually-hidden">Exportar</span>
    </ExportButton>
  );
}
