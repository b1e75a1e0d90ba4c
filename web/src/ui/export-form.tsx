import { csvOf, type DecimalMark, type ExportTable } from './csv.ts';
import { preference } from './preferences.ts';
import { saveFile } from './save-file.ts';

const marks: readonly [DecimalMark, DecimalMark] = ['coma', 'punto'];
const markNames: Readonly<Record<DecimalMark, string>> = {
  coma: 'Coma decimal, punto y coma entre campos (planillas en español)',
  punto: 'Punto decimal, coma entre campos (programas)',
};
const decimal = preference<DecimalMark>('pizarra.decimal', marks);

/** What a form exports. */
export interface Exported {
  /** The name of the file, without its extension. */
  readonly name: string;
  /** What the rows are. */
  readonly hint: string;
  readonly isEmpty: boolean;
  /** Makes the table when the user saves it. */
  readonly tableOf: () => ExportTable;
  /** Makes the rows of a JSON file. Absent if only CSV is offered. */
  readonly jsonOf?: () => unknown;
}

/** Saves a table as a file, with the form of its numbers that the user chooses. */
export function ExportForm({
  name,
  hint,
  isEmpty,
  tableOf,
  jsonOf,
  onDone,
}: Exported & { readonly onDone: () => void }) {
  const saveCsv = (event: Event) => {
    event.preventDefault();
    const text = csvOf(tableOf(), decimal.value);
    saveFile(text, { name, extension: 'csv', type: 'text/csv;charset=utf-8' });
    onDone();
  };
  const saveJson = (rows: unknown) => {
    const text = JSON.stringify(rows, undefined, 1);
    saveFile(text, { name, extension: 'json', type: 'application/json' });
    onDone();
  };
  return (
    <form class="key-form" onSubmit={saveCsv}>
      <p>{hint}</p>
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
        {jsonOf !== undefined && (
          <button
            type="button"
            class="button"
            disabled={isEmpty}
            onClick={() => saveJson(jsonOf())}
          >
            Descargar JSON
          </button>
        )}
        <button type="submit" class="button button-primary" disabled={isEmpty}>
          Descargar CSV
        </button>
      </div>
    </form>
  );
}
