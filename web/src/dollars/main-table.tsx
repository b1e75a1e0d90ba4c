import type { DollarRow } from '../market/api/quote.ts';
import { absent } from '../market/format/numbers.ts';
import { markets } from '../market/health-watch.ts';
import { GapCell, TickerLink, TimeCell } from './dollar-cells.tsx';
import { mainDollars, missingDollars, referenceBond, rowName } from './dollar-groups.ts';
import { GapTitle, PriceCells, PriceTitles } from './price-columns.tsx';

/** The dollars that are published, with those of the bond and of the median that stand for the implied ones. */
export function MainTable({ rows }: { readonly rows: readonly DollarRow[] }) {
  const missing = missingDollars(rows);
  const canje = rows.find(({ dolar, base }) => dolar === 'canje' && base === referenceBond);
  return (
    <section>
      <h2>Los dólares</h2>
      <div class="table-frame statistics-frame" tabIndex={0} role="region" aria-label="Los dólares">
        <table class="statistics dollar-table">
          <thead>
            <tr>
              <th scope="col">Dólar</th>
              <PriceTitles last="Último" />
              <GapTitle />
              <th scope="col">Hora</th>
            </tr>
          </thead>
          <tbody>
            {mainDollars(rows).map(({ name, row }) => (
              <tr key={rowName(row)} data-row={rowName(row)}>
                <th scope="row">
                  {name}
                  <span class="figure-note">
                    <Basis row={row} />
                  </span>
                </th>
                <PriceCells row={row} />
                <GapCell row={row} />
                <TimeCell rows={[row]} />
              </tr>
            ))}
            {canje !== undefined && (
              <tr data-row={rowName(canje)}>
                <th scope="row">
                  Canje
                  <span class="figure-note">
                    CCL contra MEP de <TickerLink ticker={referenceBond} />
                  </span>
                </th>
                <PriceCells row={canje} />
                <td title="El canje no es un precio">{absent}</td>
                <TimeCell rows={[canje]} />
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {missing.length > 0 && (
        <p class="hint dollar-missing">
          Sin datos: {missing.join(', ')}. Ninguna fuente los publica, o las especies de las que se
          obtienen no cotizaron en la misma rueda.
        </p>
      )}
    </section>
  );
}

/** Where a dollar comes from: the instrument that publishes it, or those whose quotient it is. */
function Basis({ row: { base, calculo, numerador, denominador } }: { readonly row: DollarRow }) {
  if (calculo === 'mediana') return <>mediana de los CEDEARs</>;
  if (numerador === null) return <>{base}</>;
  if (denominador !== null) {
    return (
      <>
        <TickerLink ticker={numerador} /> ÷ <TickerLink ticker={denominador} />
      </>
    );
  }
  return (
    <>
      <TickerLink ticker={numerador} />{' '}
      <span class="dollar-base" title={markets.value.get(base)?.nombre}>
        {base}
      </span>
    </>
  );
}
