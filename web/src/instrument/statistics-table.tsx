import type { HistoryRow } from '../market/api/quote.ts';
import { wayOf } from '../market/format/direction.ts';
import {
  formatChange,
  formatDay,
  formatPercent,
  formatPrice,
  formatVolume,
} from '../market/format/numbers.ts';
import { statisticsOf, type Statistics } from './statistics.ts';
import { FramedTable } from '../ui/table/framed-table.tsx';

interface Line {
  readonly name: string;
  readonly value: (found: Statistics) => string;
  readonly note?: (found: Statistics) => string;
  readonly way?: (found: Statistics) => string;
}

const lines: readonly Line[] = [
  {
    name: 'Variación',
    value: ({ changePct }) => formatChange(changePct, 'percent'),
    note: ({ first, last }) => `${formatDay(first.fecha)} – ${formatDay(last.fecha)}`,
    way: ({ changePct }) => `change ${wayOf(changePct)}`,
  },
  {
    name: 'Mínimo',
    value: ({ lowest }) => formatPrice(lowest.ultimo),
    note: ({ lowest }) => formatDay(lowest.fecha),
  },
  {
    name: 'Máximo',
    value: ({ highest }) => formatPrice(highest.ultimo),
    note: ({ highest }) => formatDay(highest.fecha),
  },
  { name: 'Promedio', value: ({ mean }) => formatPrice(mean) },
  { name: 'Caída máxima', value: ({ drawdownPct }) => formatChange(drawdownPct, 'percent') },
  {
    name: 'Volatilidad anualizada',
    value: ({ volatilityPct }) => formatPercent(volatilityPct),
  },
  { name: 'Volumen promedio', value: ({ meanVolume }) => formatVolume(meanVolume) },
  { name: 'Ruedas', value: ({ sessions }) => formatVolume(sessions) },
];

/** The statistics of the visible range, for each instrument of the chart. */
export function StatisticsTable({
  series,
  lines: shown,
}: {
  readonly series: readonly (readonly HistoryRow[])[];
  /** The lines of the series, whose units they have. */
  readonly lines: readonly { readonly unit: string }[];
}) {
  const all = series.flatMap((rows, at) => {
    const found = statisticsOf(rows);
    return found === undefined ? [] : { ...found, unit: shown[at]?.unit ?? '' };
  });
  if (all.length === 0) return null;
  return (
    <FramedTable
      label="Estadísticas"
      frameClass="statistics-frame"
      caption="Estadísticas del rango"
      titles={['Especie', ...lines.map(({ name }) => name)]}
    >
      {all.map((found) => (
        <tr key={found.first.especie}>
          <th scope="row">
            {found.first.especie}
            <span class="figure-note">{found.unit}</span>
          </th>
          {lines.map(({ name, value, note, way }) => (
            <td key={name}>
              <span class={way?.(found) ?? ''}>{value(found)}</span>
              {note !== undefined && <span class="figure-note">{note(found)}</span>}
            </td>
          ))}
        </tr>
      ))}
    </FramedTable>
  );
}
