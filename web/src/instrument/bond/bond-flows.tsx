import type { BondFlow } from '../../market/api/quote.ts';
import { formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';
import { useAnswer } from '../../market/rows/use-rows.ts';
import { FramedTable, Noted, type Column } from '../../ui/table/framed-table.tsx';

/** The payments of a bond that are still to come. */
export function BondFlows({
  ticker,
  index,
  currency,
}: {
  readonly ticker: string;
  /** The name of the index by which the payments are multiplied. Undefined without one, and if it is not known. */
  readonly index: string | undefined;
  /** The currency of the payments. Undefined until it is known. */
  readonly currency: string | undefined;
}) {
  const path = `/bonos/flujos?especie=${encodeURIComponent(ticker)}`;
  const { rows, refusal } = useAnswer<BondFlow>(path);
  return (
    <section class="stack" aria-labelledby="bond-flows-title">
      <h2 id="bond-flows-title">Flujo de fondos</h2>
      {rows === undefined ? (
        <p class="muted">{refusal ?? 'Cargando los pagos…'}</p>
      ) : rows.length === 0 ? (
        <p class="muted">No quedan pagos.</p>
      ) : (
        <FlowTable rows={rows} index={index} currency={currency} />
      )}
    </section>
  );
}

function FlowTable({
  rows,
  index,
  currency,
}: {
  readonly rows: readonly BondFlow[];
  readonly index: string | undefined;
  readonly currency: string | undefined;
}) {
  const { length } = rows;
  // Without an index, what is adjusted is the total itself.
  const isIndexed = rows.some(({ total, ajustado }) => total !== null && ajustado !== total);
  const adjusted: Column<BondFlow> = [
    `Ajustado por ${index ?? 'índice'} (estimado)`,
    ({ ajustado }) => formatFixed(ajustado, 4),
  ];
  return (
    <>
      <p class="hint">
        {length === 1 ? 'Queda 1 pago' : `Quedan ${length} pagos`}. Cada 100 nominales originales
        {currency !== undefined && `, en ${currency}`}.
        {isIndexed &&
          ` Lo ajustado es una estimación con el último valor del índice${index === undefined ? '' : ` ${index}`} que corresponde a hoy: los que vienen no se conocen.`}
      </p>
      <FramedTable
        label="Pagos"
        frameClass="flows-frame long-frame"
        caption="Los pagos que quedan, el próximo primero"
        columns={[
          [
            'Fecha',
            ({ fecha, pago }) => (
              <Noted
                text={formatDay(fecha)}
                note={pago !== fecha && `se paga el ${formatDay(pago)}`}
              />
            ),
          ],
          ['Interés', ({ interes }) => formatFixed(interes, 4)],
          ['Amortización', ({ amortizacion }) => formatFixed(amortizacion, 4)],
          ['Total', ({ total }) => formatFixed(total, 4)],
          ...(isIndexed ? [adjusted] : []),
          ['Residual', ({ residual }) => formatPercent(residual)],
        ]}
        rows={rows}
      />
    </>
  );
}
