import type { JsonTable } from './json-rows.ts';

/** Maximum number of rows that are shown. */
const shownRowsMax = 500;

/** The rows of a response, with the values as the service sent them. */
export function JsonTableView({ table }: { readonly table: JsonTable }) {
  const { columns, rows, numeric } = table;
  const side = (column: string | undefined) => (numeric.has(column ?? '') ? 'number' : undefined);
  return (
    <>
      <div class="body-table" tabIndex={0} role="region" aria-label="Respuesta como tabla">
        <table>
          <caption class="visually-hidden">Respuesta como tabla</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" class={side(column)}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownRowsMax).map((row, at) => (
              <tr key={at}>
                {row.map((cell, index) => (
                  <td key={columns[index]} class={side(columns[index])}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > shownRowsMax && (
        <p class="hint">
          Se muestran las primeras {shownRowsMax} filas. «Copiar el cuerpo» las copia todas.
        </p>
      )}
    </>
  );
}
