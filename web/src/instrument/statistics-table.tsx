import type { HistoryRow } from '../market/api/quote.ts';
import {
  wayOf,
  formatChange,
  formatDay,
  formatPercent,
  formatPrice,
  formatVolume,
} from '../market/format/numbers.ts';
import { statisticsOf, type Statistics } from './statistics.ts';
import { FramedTable, Noted, type Column } from '../ui/table/framed-table.tsx';

/** The statistics of an instrument, and the unit of its values. */
type Found = Statistics & { readonly unit: string };

const columns: readonly Column<Found>[] = [
  ['Especie', ({ first, unit }) => <Noted text={first.especie} note={unit} />],
  [
    'Variación',
    ({ changePct, first, last }) => (
      <Noted
        text={
          <span class={`change ${wayOf(changePct)}`}>{formatChange(changePct, 'percent')}</span>
        }
        note={`${formatDay(first.fecha)} – ${formatDay(last.fecha)}`}
      />
    ),
  ],
  ['Mínimo', ({ lowest }) => <Close close={lowest} />],
  ['Máximo', ({ highest }) => <Close close={highest} />],
  ['Promedio', ({ mean }) => formatPrice(mean)],
  ['Caída máxima', ({ drawdownPct }) => formatChange(drawdownPct, 'percent')],
  ['Volatilidad anualizada', ({ volatilityPct }) => formatPercent(volatilityPct)],
  ['Volumen promedio', ({ meanVolume }) => formatVolume(meanVolume)],
  ['Ruedas', ({ sessions }) => formatVolume(sessions)],
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
      columns={columns}
      rows={all}
    />
  );
}

function Close({ close: { ultimo, fecha } }: { readonly close: HistoryRow }) {
  return <Noted text={formatPrice(ultimo)} note={formatDay(fecha)} />;
}
