import type { ActionRow } from '../market/api/series-rows.ts';
import { buenosAiresDay } from '../market/format/buenos-aires.ts';
import { formatDay } from '../market/format/numbers.ts';
import { serviceNow } from '../market/health-watch.ts';
import { FramedTable } from '../ui/table/framed-table.tsx';
import { actionNames, actionValue } from '../chart/drawing/actions.ts';

/** The corporate actions of an instrument, the latest first. It is also the legend of the marks. */
export function ActionList({ actions }: { readonly actions: readonly ActionRow[] }) {
  if (actions.length === 0) return null;
  const today = buenosAiresDay(serviceNow());
  return (
    <section class="actions" aria-labelledby="actions-title">
      <h2 id="actions-title">Eventos corporativos</h2>
      <FramedTable
        label="Eventos"
        frameClass="actions-frame"
        caption="La marca identifica el evento en el gráfico. La fecha es la primera rueda con precios posteriores al evento."
        titles={['Fecha', 'Marca', 'Evento', 'Valor']}
      >
        {actions.toReversed().map((action) => (
          <tr key={`${action.fecha} ${action.tipo}`}>
            <th scope="row">
              {formatDay(action.fecha)}
              {action.fecha > today && <span class="figure-note">anunciado</span>}
            </th>
            <td>
              <span class="mark">{actionNames[action.tipo].letter}</span>
            </td>
            <td>{actionNames[action.tipo].name}</td>
            <td>{actionValue(action)}</td>
          </tr>
        ))}
      </FramedTable>
    </section>
  );
}
