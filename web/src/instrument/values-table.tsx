import { useSignal } from '@preact/signals';

import { formatOf, type ChartContent, type Point } from '../chart/drawing/chart-content.ts';
import type { ChartTime } from '../chart/drawing/bars.ts';
import { absent, formatChartTime, formatPrice, formatRebased } from '../market/format/numbers.ts';
import { FramedTable, type Column } from '../ui/table/framed-table.tsx';

/** Maximum number of rows. The download has all. */
const rowsMax = 250;

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
  return (
    <>
      {visible.length > rowsMax && (
        <p class="hint">
          Se muestran los últimos {rowsMax} de {visible.length} valores. La descarga tiene todos los
          cierres.
        </p>
      )}
      <FramedTable
        label="Valores"
        frameClass="values-frame long-frame"
        caption="Valores del gráfico, los últimos primero"
        columns={[[isIntraday ? 'Hora' : 'Fecha', formatChartTime], ...columnsOf(content)]}
        rows={visible.slice(-rowsMax).toReversed()}
      />
    </>
  );
}

function columnsOf({ lines, overlays, isRebased }: ChartContent): readonly Column<ChartTime>[] {
  const prices = lines.flatMap(({ name, unit, bars, points }): readonly Column<ChartTime>[] => {
    const closes = bars.map(({ time, close }) => ({ time, value: close }));
    const title = unit === '' ? name : `${name} (${unit})`;
    const own = [title, valueIn(closes, (value) => formatPrice(value))] as const;
    return isRebased ? [own, [`${name}, variación`, valueIn(points, formatRebased)]] : [own];
  });
  const derived = overlays.map(
    (overlay) => [overlay.name, valueIn(overlay.points, formatOf({ isRebased }, overlay))] as const,
  );
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
