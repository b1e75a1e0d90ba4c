import type { DollarRow } from '../market/api/quote.ts';
import { PriceCell } from './dollar-cells.tsx';

/** On which screens a table shows the orders of a dollar. */
type OrdersClass = 'dollar-side' | 'dollar-wide';

/** The titles of the columns of {@link PriceCells}. */
export function PriceTitles({
  orders: [bid, ask] = ['Compra', 'Venta'],
  last,
  ordersClass = 'dollar-side',
}: {
  readonly orders?: readonly [bid: string, ask: string];
  readonly last: string;
  readonly ordersClass?: OrdersClass;
}) {
  return (
    <>
      <th scope="col" class={ordersClass}>
        {bid}
      </th>
      <th scope="col" class={ordersClass}>
        {ask}
      </th>
      <th scope="col">{last}</th>
    </>
  );
}

/** The title of the column of {@link GapCell}. */
export function GapTitle({ className = '' }: { readonly className?: string }) {
  return (
    <th scope="col" class={className} title="Diferencia con el dólar mayorista">
      Brecha
    </th>
  );
}

/** The orders and the last price of a dollar. */
export function PriceCells({
  row,
  reason,
  ordersClass = 'dollar-side',
}: {
  readonly row: DollarRow | undefined;
  /** Why there is no row. */
  readonly reason?: string;
  readonly ordersClass?: OrdersClass;
}) {
  return (
    <>
      <PriceCell row={row} field="compra" reason={reason} className={ordersClass} />
      <PriceCell row={row} field="venta" reason={reason} className={ordersClass} />
      <PriceCell row={row} field="ultimo" reason={reason} />
    </>
  );
}
