import { absent, formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';
import { formatRoute, instrumentRoute } from '../../places/route.ts';
import { families } from './families.ts';
import type { Curve, CurvePoint } from './curve-points.ts';

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
      <div
        class="table-frame curve-frame"
        tabIndex={0}
        role="region"
        aria-label="Datos de la curva"
      >
        <table class="statistics">
          <caption class="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">Especie</th>
              <th scope="col">Familia</th>
              <th scope="col">TIR</th>
              <th scope="col">Dur. mod.</th>
              <th scope="col">Paridad</th>
              <th scope="col">Vto.</th>
              <th scope="col">Nota</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.ticker}>
                <Ticker ticker={point.ticker} />
                <td>{families[point.family]}</td>
                <td>{formatPercent(point.rate)}</td>
                <td>{formatFixed(point.duration, 2)}</td>
                <td>{point.bond.paridad === null ? absent : formatPercent(point.bond.paridad)}</td>
                <td>{formatDay(point.bond.vencimiento)}</td>
                <td>{outside.includes(point) ? 'Fuera del gráfico' : ''}</td>
              </tr>
            ))}
            {missing.map(({ ticker, reason }) => (
              <tr key={ticker}>
                <Ticker ticker={ticker} />
                {['Familia', 'TIR', 'Dur. mod.', 'Paridad', 'Vto.'].map((name) => (
                  <td key={name}>{absent}</td>
                ))}
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
