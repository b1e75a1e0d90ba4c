import { useSignal } from '@preact/signals';

import { receiptName, receiptsPath } from '../market/facts/receipt-dollars.ts';
import { absent, formatChange } from '../market/format/numbers.ts';
import { instruments } from '../market/instruments.ts';
import { useRows } from '../market/rows/use-rows.ts';
import { SortedTable, type SortedColumn } from '../ui/table/sorted-table.tsx';
import { gapColumn, priceColumn, TickerLink, timeOf } from './dollar-cells.tsx';
import { receiptDollars } from './dollar-groups.ts';

/** The CCL that each CEDEAR implies, requested when it is opened: they are many. */
export function ReceiptsTable() {
  const isOpen = useSignal(false);
  return (
    <section class="stack">
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
        {isOpen.value && <Receipts />}
      </details>
    </section>
  );
}

type Receipt = ReturnType<typeof receiptDollars>[number];

const rowOf = ({ row }: Receipt) => row;

const columns: readonly SortedColumn<Receipt>[] = [
  {
    title: 'CEDEAR',
    value: ({ row }) => row.base,
    cell: ({ row: { base, denominador } }) => (
      <th scope="row">
        <TickerLink ticker={base} />
        <span class="figure-note">
          {instruments.value.get(base)?.ratio ?? absent}
          {denominador !== null && (
            <>
              {' '}
              de <TickerLink ticker={denominador} />
            </>
          )}
        </span>
      </th>
    ),
  },
  priceColumn('Compra', 'compra', { rowOf }),
  priceColumn('Venta', 'venta', { rowOf }),
  priceColumn('CCL', 'ultimo', { rowOf }),
  {
    title: 'Mediana',
    meaning: 'Diferencia con la mediana de los CEDEARs',
    value: ({ overMedian }) => overMedian,
    cell: ({ overMedian }) => <td>{formatChange(overMedian, 'percent')}</td>,
  },
  gapColumn('Brecha', rowOf),
  {
    title: 'Hora',
    value: ({ row }) => `${row.fecha} ${row.hora}`,
    cell: ({ row }) => <td class="muted">{timeOf(row)}</td>,
  },
];

function Receipts() {
  const rows = useRows(receiptsPath, receiptName).value;
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
    <SortedTable
      label="CCL por CEDEAR"
      columns={columns}
      rows={receipts}
      nameOf={({ row }) => row.base}
    />
  );
}
