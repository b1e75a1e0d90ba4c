import { useSignal } from '@preact/signals';

import { receiptName, receiptsPath } from '../market/facts/receipt-dollars.ts';
import { absent, formatChange } from '../market/format/numbers.ts';
import { instruments } from '../market/instruments.ts';
import { useRows } from '../market/rows/use-rows.ts';
import { GapCell, TickerLink, TimeCell } from './dollar-cells.tsx';
import { receiptDollars } from './dollar-groups.ts';
import { GapTitle, PriceCells, PriceTitles } from './price-columns.tsx';

/** The CCL that each CEDEAR implies, requested when it is opened: they are many. */
export function ReceiptsTable({ apiKey }: { readonly apiKey: string }) {
  const isOpen = useSignal(false);
  return (
    <section>
      <h2>CCL por CEDEAR</h2>
      <p class="hint">
        El precio del CEDEAR por su ratio, dividido por el del subyacente. Solo si ambos precios son
        del mismo día, con los dos mercados abiertos, y si el CEDEAR operó. No están los que
        difieren más de 10 % de la mediana.
      </p>
      <details
        class="values"
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>Ver CEDEAR por CEDEAR</summary>
        {isOpen.value && <Receipts apiKey={apiKey} />}
      </details>
    </section>
  );
}

function Receipts({ apiKey }: { readonly apiKey: string }) {
  const rows = useRows(receiptsPath, apiKey, receiptName).value;
  if (rows === undefined) return <p class="muted">Cargando…</p>;
  const receipts = receiptDollars(rows.values());
  if (receipts.length === 0) {
    return (
      <p class="muted">
        Ningún CEDEAR cotizó con su subyacente el mismo día, con los dos mercados abiertos.
      </p>
    );
  }
  return (
    <div
      class="table-frame statistics-frame values-frame"
      tabIndex={0}
      role="region"
      aria-label="CCL por CEDEAR"
    >
      <table class="statistics dollar-table">
        <caption class="visually-hidden">CCL por CEDEAR, el más caro primero</caption>
        <thead>
          <tr>
            <th scope="col">CEDEAR</th>
            <PriceTitles last="CCL" />
            <th scope="col" title="Diferencia con la mediana de los CEDEARs">
              Mediana
            </th>
            <GapTitle />
            <th scope="col">Hora</th>
          </tr>
        </thead>
        <tbody>
          {receipts.map(({ row, overMedian }) => (
            <tr key={row.base} data-row={row.base}>
              <th scope="row">
                <TickerLink ticker={row.base} />
                <span class="figure-note">
                  {instruments.value.get(row.base)?.ratio ?? absent}
                  {row.denominador !== null && (
                    <>
                      {' '}
                      de <TickerLink ticker={row.denominador} />
                    </>
                  )}
                </span>
              </th>
              <PriceCells row={row} />
              <td>{formatChange(overMedian, 'percent')}</td>
              <GapCell row={row} />
              <TimeCell rows={[row]} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
