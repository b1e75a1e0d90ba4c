import { FramedTable, type Column } from '../ui/table/framed-table.tsx';

/** Maximum number of rows that are shown. */
const shownRowsMax = 500;

/** A row of a JSON body. */
export type JsonRow = Readonly<Record<string, unknown>>;

/** Whether a body is a list of objects, which can be shown as a table. */
export function isTable(body: unknown): body is readonly JsonRow[] {
  return (
    Array.isArray(body) &&
    body.length > 0 &&
    body.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))
  );
}

/** The rows of a response, with the values as the service sent them and the fields of all rows. */
export function JsonTable({ rows }: { readonly rows: readonly JsonRow[] }) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    <>
      <FramedTable
        label="Respuesta como tabla"
        frameClass="body-table"
        caption="Respuesta como tabla"
        columns={fields.map((field): Column<JsonRow> => [field, (row) => cellText(row[field])])}
        rows={rows.slice(0, shownRowsMax)}
      />
      {rows.length > shownRowsMax && (
        <p class="hint">
          Se muestran las primeras {shownRowsMax} filas. «Copiar el cuerpo» las copia todas.
        </p>
      )}
    </>
  );
}

function cellText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
