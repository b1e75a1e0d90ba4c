import {
  absent,
  formatChange,
  formatDay,
  formatPercent,
  formatVolume,
} from '../../market/format/numbers.ts';
import { changeUnitOf, instruments } from '../../market/instruments.ts';
import { HiddenTable } from '../../ui/table/framed-table.tsx';
import type { HeatGroup } from './heat-tiles.ts';

/** The data of a heat map, for screen readers. The first rows are the largest areas. */
export function HeatTable({ group: { currency, traded, others } }: { readonly group: HeatGroup }) {
  const known = instruments.value;
  const total = traded.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
  return (
    <HiddenTable
      caption="Datos del mapa"
      titles={[
        'Especie',
        'Variación',
        currency === '' ? 'Monto' : `Monto (${currency})`,
        'Parte',
        'Rueda',
      ]}
    >
      {[...traded, ...others].map(({ ticker, change, amount, freshness, day }) => (
        <tr key={ticker}>
          <th scope="row">{ticker}</th>
          <td>{formatChange(change, changeUnitOf(known.get(ticker)))}</td>
          <td>{formatVolume(amount)}</td>
          <td>{formatPart(freshness === 'earlier' ? undefined : amount, total)}</td>
          <td>{day === undefined ? absent : formatDay(day)}</td>
        </tr>
      ))}
    </HiddenTable>
  );
}

/** The part of the total that an amount is, without a sign: `12,34 %`. */
function formatPart(amount: number | undefined, total: number): string {
  return formatPercent(amount === undefined || total === 0 ? undefined : (amount / total) * 100);
}
