import { absent, formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';
import { HiddenTable } from '../../ui/table/framed-table.tsx';
import { families } from './families.ts';
import type { Curve, CurvePoint } from './curve-points.ts';

/** The columns of which a bond without a yield has none. */
const figureTitles = ['Familia', 'TIR', 'Dur. mod.', 'Paridad', 'Vto.'];

/** The data of a curve, for screen readers: the bonds of each family by duration, and then those without a yield. */
export function CurveTable({
  curve: { points, missing },
  outside,
  title,
}: {
  readonly curve: Curve;
  readonly outside: readonly CurvePoint[];
  /** The names of the figures with their convention. */
  readonly title: string;
}) {
  return (
    <HiddenTable caption={title} titles={['Especie', ...figureTitles, 'Nota']}>
      {points.map((point) => (
        <tr key={point.ticker}>
          <th scope="row">{point.ticker}</th>
          <td>{families[point.family]}</td>
          <td>{formatPercent(point.rate)}</td>
          <td>{formatFixed(point.duration, 2)}</td>
          <td>{formatPercent(point.bond.paridad)}</td>
          <td>{formatDay(point.bond.vencimiento)}</td>
          <td>{outside.includes(point) ? 'Fuera del gráfico' : ''}</td>
        </tr>
      ))}
      {missing.map(({ ticker, reason }) => (
        <tr key={ticker}>
          <th scope="row">{ticker}</th>
          {figureTitles.map((name) => (
            <td key={name}>{absent}</td>
          ))}
          <td>{reason}</td>
        </tr>
      ))}
    </HiddenTable>
  );
}
