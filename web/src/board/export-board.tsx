import type { ReadonlySignal } from '@preact/signals';

import type { ColumnField } from '../market/columns.ts';
import type { LiveQuotes } from '../market/live-quotes.ts';
import { ExportButton } from '../ui/export-dialog.tsx';
import { exportTable } from './export-rows.ts';

/** Exports what the board shows. */
export function ExportBoard({
  name,
  live,
  shown,
  columns,
}: {
  /** The name of the board, for the name of the file. */
  readonly name: string;
  readonly live: LiveQuotes;
  readonly shown: ReadonlySignal<readonly string[]>;
  /** The visible columns. */
  readonly columns: readonly ColumnField[];
}) {
  const { length } = shown.value;
  return (
    <ExportButton
      title="Exportar"
      name={name}
      hint={`Se exportan las ${length} filas que se ven, en su orden y con las columnas de la vista. Los números no se redondean.`}
      isEmpty={length === 0}
      tableOf={() => exportTable(live.rows(shown.value), columns)}
    >
      <span class="roomy-only">Exportar</span>
    </ExportButton>
  );
}
