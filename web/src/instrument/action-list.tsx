import type { ActionRow } from '../market/api/series-rows.ts';
import { buenosAiresDay } from '../market/format/buenos-aires.ts';
import { formatDay } from '../market/format/numbers.ts';
import { serviceNow } from '../market/health-watch.ts';
import { FramedTable, Noted } from '../ui/table/framed-table.tsx';
import { actionNames, actionValue } from '../chart/drawing/actions.ts';

/** The corporate actions of an instrument, the latest first. It is also the legend of the marks. */
export function ActionList({ actions }: { readonly actions: readonly ActionRow[] }) {
  if (actions.length === 0) return null;
  const today = buenosAiresDay(serviceNow());
  return (
    <section class="actions stack" aria-labelledby="actions-title">
      <h2 id="actions-title">Eventos corporativos</h2>
      <FramedTable
        label="Eventos"
        frameClass="long-frame texts"
        caption="La marca identifica el evento en el gráfico. La fecha es la primera rueda con precios posteriores al evento."
        columns={[
          [
            'Fecha',
            ({ fecha }) => <Noted text={formatDay(fecha)} note={fecha > today && 'anunciado'} />,
          ],
          ['Marca', ({ tipo }) => <span class="mark">{actionNames[tipo].letter}</span>],
          ['Evento', ({ tipo }) => actionNames[tipo].name],
          ['Valor', actionValue],
        ]}
        rows={actions.toReversed()}
      />
    </section>
  );
}
