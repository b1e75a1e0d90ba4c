import { absent, formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';
import { formatRoute, instrumentRoute } from '../../places/route.ts';
import { FramedTable } from '../../ui/table/framed-table.tsx';
import { families } from './families.ts';
import type { Curve, CurvePoint } from './curve-points.ts';

/** The columns of which a bond without a yield has none. */
const figureTitles = ['Familia', 'TIR', 'Dur. mod.', 'Paridad', 'Vto.'];

/** The data of a curve as a table: the bonds of each family by duration, and then those without a yield. */
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
    <details class="curve-data">
      <summary>Los datos de la curva en una tabla</summary>
      <FramedTable
        label="Datos de la curva"
        frameClass="curve-frame"
        caption={title}
        titles={['Especie', ...figureTitles, 'Nota']}
      >
        {points.map((point) => (
          <tr key={point.ticker}>
            <Ticker ticker={point.ticker} />
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
            <Ticker ticker={ticker} />
            {figureTitles.map((name) => (
              <td key={name}>{absent}</td>
            ))}
            <td>{reason}</td>
          </tr>
        ))}
      </FramedTable>
    </details>
  );
}

function Ticker({ ticker }: { readonly ticker: string }) {
  return (
    <th scope="row">
      <a href={formatRoute(instrumentRoute(ticker))}>{ticker}</a>
    </th>
  );
}
