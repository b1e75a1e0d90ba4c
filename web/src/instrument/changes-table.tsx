import { useSignal } from '@preact/signals';

import type { ChangeRow } from '../market/api/quote.ts';
import { useAnswer } from '../market/bonds/use-answer.ts';
import { buenosAiresDay, formatClock } from '../market/format/buenos-aires.ts';
import { formatDay } from '../market/format/numbers.ts';
import { FramedTable } from '../ui/table/framed-table.tsx';
import { changedNames, changedValue, originNames } from './changed-values.ts';

/** Maximum number of rows. The service has all. */
const rowsMax = 250;

/** The changes of the stored closes, corporate actions and terms of an instrument. They are requested when it is opened. */
export function ChangesTable({
  ticker,
  apiKey,
}: {
  readonly ticker: string;
  readonly apiKey: string;
}) {
  const isOpen = useSignal(false);
  return (
    <details
      class="changes"
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open;
      }}
    >
      <summary>Cambios</summary>
      {isOpen.value && <Changes ticker={ticker} apiKey={apiKey} />}
    </details>
  );
}

function Changes({ ticker, apiKey }: { readonly ticker: string; readonly apiKey: string }) {
  const path = `/cambios?especie=${encodeURIComponent(ticker)}`;
  const { rows, refusal } = useAnswer<ChangeRow>(path, apiKey);
  if (rows === undefined) return <p class="muted">{refusal ?? 'Cargando los cambios…'}</p>;
  if (rows.length === 0) {
    return (
      <p class="muted">
        No hay cambios: ningún cierre, evento ni condición de emisión de esta especie se corrigió.
      </p>
    );
  }
  return <Rows rows={rows} />;
}

function Rows({ rows }: { readonly rows: readonly ChangeRow[] }) {
  const shown = rows.slice(0, rowsMax);
  return (
    <>
      <p class="hint">
        Cambios de los valores guardados, el último primero. Con <code>conocido</code>, la API
        devuelve la serie como se conocía en un instante.
        {rows.length > shown.length &&
          ` Se muestran los últimos ${rowsMax} de ${rows.length}: /cambios tiene todos.`}
      </p>
      <FramedTable
        label="Cambios"
        frameClass="values-frame changes-frame"
        caption="Cambios de los valores guardados, el último primero"
        titles={['Día', 'Campo', 'Antes', 'Después', 'Guardado', 'Fuente', 'Origen']}
      >
        {shown.map((row) => (
          <tr key={`${row.instante} ${row.fecha} ${row.campo}`}>
            <th scope="row">{formatDay(row.fecha)}</th>
            <td>{changedNames[row.campo]}</td>
            <td>{changedValue(row.antes)}</td>
            <td>{changedValue(row.despues)}</td>
            <td>
              <time dateTime={row.instante}>{momentOf(Date.parse(row.instante))}</time>
            </td>
            <td>{row.fuente ?? 'Desconocida'}</td>
            <td>{originNames[row.origen]}</td>
          </tr>
        ))}
      </FramedTable>
    </>
  );
}

/** An instant with its day, to the second: the changes of several years may be in one list. */
function momentOf(epochMs: number): string {
  return `${formatDay(buenosAiresDay(epochMs))} ${formatClock(epochMs)}`;
}
