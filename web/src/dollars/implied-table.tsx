import type { DollarRow } from '../market/api/quote.ts';
import { instruments } from '../market/instruments.ts';
import { GapCell, PriceCell, TickerLink, TimeCell } from './dollar-cells.tsx';
import { impliedGroups, type ImpliedDollars } from './dollar-groups.ts';
import { GapTitle, PriceCells, PriceTitles } from './price-columns.tsx';

/** MEP, CCL and canje of each security that is traded in pesos and in dollars. */
export function ImpliedTable({ rows }: { readonly rows: readonly DollarRow[] }) {
  const groups = impliedGroups(rows, (ticker) => instruments.value.get(ticker)?.tipo);
  return (
    <section>
      <h2>MEP, CCL y canje por especie</h2>
      <p class="hint">
        MEP es el precio en pesos dividido por el de la especie D, y CCL por el de la especie C. El
        canje es lo que cuesta pasar dólares MEP a cable: cuánto supera la D a la C.
      </p>
      {groups.length === 0 ? (
        <p class="muted">
          Sin dólares implícitos: ninguna especie cotizó en pesos y en dólares en la misma rueda.
        </p>
      ) : (
        <div
          class="table-frame statistics-frame"
          tabIndex={0}
          role="region"
          aria-label="MEP, CCL y canje por especie"
        >
          <table class="statistics dollar-table">
            <thead>
              <tr>
                <th scope="col">Especie</th>
                {['MEP', 'CCL'].map((name) => (
                  <DollarTitles key={name} name={name} />
                ))}
                <th scope="col">Canje</th>
                <th scope="col">Hora</th>
              </tr>
            </thead>
            {groups.map(({ title, securities }) => (
              <tbody key={title}>
                <tr class="dollar-group">
                  <th scope="rowgroup" colSpan={11}>
                    {title}
                  </th>
                </tr>
                {securities.map((security) => (
                  <ImpliedLine key={security.base} security={security} />
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
    </section>
  );
}

function DollarTitles({ name }: { readonly name: string }) {
  return (
    <>
      <PriceTitles
        orders={[`${name} compra`, `${name} venta`]}
        last={name}
        ordersClass="dollar-wide"
      />
      <GapTitle className="dollar-side" />
    </>
  );
}

function ImpliedLine({ security }: { readonly security: ImpliedDollars }) {
  const { base, mep, ccl, canje } = security;
  return (
    <tr data-row={base}>
      <th scope="row">
        <TickerLink ticker={base} />
      </th>
      <DollarCells row={mep} reason="Sin precio de la especie D en la misma rueda" />
      <DollarCells row={ccl} reason="Sin precio de la especie C en la misma rueda" />
      <PriceCell row={canje} field="ultimo" reason="Hacen falta las especies D y C" />
      <TimeCell rows={[mep, ccl, canje]} />
    </tr>
  );
}

function DollarCells({
  row,
  reason,
}: {
  readonly row: DollarRow | undefined;
  readonly reason: string;
}) {
  return (
    <>
      <PriceCells row={row} reason={reason} ordersClass="dollar-wide" />
      <GapCell row={row} className="dollar-side" />
    </>
  );
}
