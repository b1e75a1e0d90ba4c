import { Button } from './button.tsx';
import { Check } from './check.tsx';
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
    <form class="stack gap-6" onSubmit={saveCsv}>
      <p>{hint}</p>
      <fieldset class="stack gap-5">
        <legend class="strong">Números</legend>
        {marks.map((mark) => (
          <Check
            key={mark}
            name="decimal"
            checked={decimal.value === mark}
            onCheck={() => (decimal.value = mark)}
          >
            {markNames[mark]}
          </Check>
        ))}
      </fieldset>
      <div class="dialog-actions row">
        <Button onClick={onDone}>Cancelar</Button>
        {jsonOf !== undefined && (
          <Button disabled={isEmpty} onClick={() => saveJson(jsonOf())}>
            Descargar JSON
          </Button>
        )}
        <Button type="submit" look="primary" disabled={isEmpty}>
          Descargar CSV
        </Button>
      </div>
    </form>
  );
}
