import { useSignal } from '@preact/signals';

import { formatOf, type ChartContent } from '../chart/drawing/chart-content.ts';
import type { ChartTime } from '../chart/drawing/bars.ts';
import type { Point } from '../chart/drawing/chart-content.ts';
import { absent, formatChartTime, formatPrice, formatRebased } from '../market/format/numbers.ts';
import { FramedTable } from '../ui/table/framed-table.tsx';

/** Maximum number of rows. The download has all. */
const rowsMax = 250;

/** A column of values of the chart. */
interface Column {
  readonly title: string;
  readonly valueAt: (time: ChartTime) => string;
}

/** The values of the chart as a table, the latest first, for screen readers and for copying. */
export function ValuesTable({ content }: { readonly content: ChartContent }) {
  const isOpen = useSignal(false);
  return (
    <details class="values" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Valores del gráfico</summary>
      {isOpen.value && <Values content={content} />}
    </details>
  );
}

function Values({ content }: { readonly content: ChartContent }) {
  const { times, from, isIntraday } = content;
  const visible = times.filter((time) => time >= from);
  const rows = visible.slice(-rowsMax).toReversed();
  const columns = columnsOf(content);
  return (
    <>
      {visible.length > rows.length && (
        <p class="hint">
          Se muestran los últimos {rowsMax} de {visible.length} valores. La descarga tiene todos los
          cierres.
        </p>
      )}
      <FramedTable
        label="Valores"
        frameClass="values-frame"
        caption="Valores del gráfico, los últimos primero"
        titles={[isIntraday ? 'Hora' : 'Fecha', ...columns.map(({ title }) => title)]}
      >
        {rows.map((time) => (
          <tr key={time}>
            <th scope="row">{formatChartTime(time)}</th>
            {columns.map(({ title, valueAt }) => (
              <td key={title}>{valueAt(time)}</td>
            ))}
          </tr>
        ))}
      </FramedTable>
    </>
  );
}

function columnsOf({ lines, overlays, isRebased }: ChartContent): readonly Column[] {
  const prices = lines.flatMap(({ name, unit, bars, points }): readonly Column[] => {
    const closes = bars.map(({ time, close }) => ({ time, value: close }));
    const title = unit === '' ? name : `${name} (${unit})`;
    const own = { title, valueAt: valueIn(closes, (value) => formatPrice(value)) };
    if (!isRebased) return [own];
    return [own, { title: `${name}, variación`, valueAt: valueIn(points, formatRebased) }];
  });
  const derived = overlays.map((overlay) => ({
    title: overlay.name,
    valueAt: valueIn(overlay.points, formatOf({ isRebased }, overlay)),
  }));
  return [...prices, ...derived];
}

/** Reads the values of points. A time without one has a dash. */
function valueIn(
  points: readonly Point[],
  format: (value: number) => string,
): (time: ChartTime) => string {
  const known = new Map(points.map(({ time, value }) => [time, value]));
  return (time) => {
    const value = known.get(time);
    return value === undefined ? absent : format(value);
  };
}
