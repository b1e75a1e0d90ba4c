import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';

import type { LiveQuotes } from '../market/live-quotes.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DownloadIcon } from '../ui/icons.tsx';
import { preference } from '../ui/preferences.ts';
import { saveFile } from '../ui/save-file.ts';
import type { ColumnField } from '../market/columns.ts';
import { csvOf, exportTable } from './export-rows.ts';
import type { DecimalMark } from './export-rows.ts';

const marks: readonly [DecimalMark, DecimalMark] = ['coma', 'punto'];
const markNames: Readonly<Record<DecimalMark, string>> = {
  coma: 'Coma decimal, punto y coma entre campos (planillas en español)',
  punto: 'Punto decimal, coma entre campos (programas)',
};
const decimal = preference<DecimalMark>('pizarra.decimal', marks);

interface Exported {
  /** The name of the board, for the name of the file. */
  readonly name: string;
  readonly live: LiveQuotes;
  readonly shown: ReadonlySignal<readonly string[]>;
  /** The visible columns. */
  readonly columns: readonly ColumnField[];
}

/** Exports what the board shows. */
export function ExportButton(exported: Exported) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        class="button button-small"
        aria-haspopup="dialog"
        onClick={() => {
          isOpen.value = true;
        }}
      >
        <DownloadIcon />
        <span class="roomy-only">Exportar</span>
      </button>
      <Dialog
        title="Exportar"
        isOpen={isOpen.value}
        onClose={() => {
          isOpen.value = false;
        }}
      >
        <ExportForm
          {...exported}
          onDone={() => {
            isOpen.value = false;
          }}
        />
      </Dialog>
    </>
  );
}

function ExportForm({
  name,
  live,
  shown,
  columns,
  onDone,
}: Exported & { readonly onDone: () => void }) {
  const save = async (event: Event) => {
    event.preventDefault();
    const table = exportTable(live.rows(shown.value), columns);
    const text = await csvOf(table, decimal.value);
    saveFile(text, { name, extension: 'csv', type: 'text/csv;charset=utf-8' });
    onDone();
  };
  return (
    <form class="key-form" onSubmit={(event) => void save(event)}>
      <p>
        Se exportan las {shown.value.length} filas que se ven, en su orden y con las columnas de la
        vista. Los números no se redondean.
      </p>
      <fieldset class="radios">
        <legend>Números</legend>
        {marks.map((mark) => (
          <label key={mark} class="check">
            <input
              type="radio"
              name="decimal"
              checked={decimal.value === mark}
              onChange={() => {
                decimal.value = mark;
              }}
            />
            <span>{markNames[mark]}</span>
          </label>
        ))}
      </fieldset>
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onDone}>
          Cancelar
        </button>
        <button type="submit" class="button button-primary" disabled={shown.value.length === 0}>
          Descargar CSV
        </button>
      </div>
    </form>
  );
}
